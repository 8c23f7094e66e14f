/* The comparison in constant time agrees with the plain one. */
#include "harness.h"
#include "monocypher/Monocypher/src/monocypher.c"

int main(void) {
    uint8_t a[16], b[16] = {0};
    any_bytes(a, sizeof a);
    any_bytes(b, 8);
    int differ = 0;
    for (int i = 0; i < 16; i++)
        if (a[i] != b[i])
            differ = -1;
    claim(crypto_verify16(a, b) == differ);
}
