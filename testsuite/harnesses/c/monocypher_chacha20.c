/* Encrypting twice with the same key stream gives the text back. */
#include "harness.h"
#include "monocypher/Monocypher/src/monocypher.c"

int main(void) {
    uint8_t key[32] = {1, 2, 3}, nonce[8] = {4, 5, 6}, text[4], cipher[4], again[4];
    any_bytes(text, sizeof text);
    crypto_chacha20_djb(cipher, text, sizeof text, key, nonce, 0);
    crypto_chacha20_djb(again, cipher, sizeof text, key, nonce, 0);
    for (int i = 0; i < 4; i++)
        claim(again[i] == text[i]);
}
