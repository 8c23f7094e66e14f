/* The variant that ignores case hashes like the plain one does the lower-case text. */
#include "harness.h"
#include "redis/src/siphash.c"

int main(void) {
    uint8_t text[2], lower[2];
    static const uint8_t key[16] = "0123456789abcdef";
    any_bytes(text, sizeof text);
    for (int i = 0; i < 2; i++)
        lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i];
    claim(siphash_nocase(text, sizeof text, key) == siphash(lower, sizeof lower, key));
}
