/* memmem finds the first place where three bytes occur, or none. */
#define _GNU_SOURCE
#include "harness.h"
#define memmem musl_memmem
#include "musl/src/string/memmem.c"

int main(void) {
    unsigned char hay[6], needle[3];
    any_bytes(hay, sizeof hay);
    any_bytes(needle, sizeof needle);
    unsigned char *found = memmem(hay, sizeof hay, needle, sizeof needle), *expected = 0;
    for (int i = 3; i >= 0; i--)
        if (hay[i] == needle[0] && hay[i + 1] == needle[1] && hay[i + 2] == needle[2])
            expected = hay + i;
    claim(found == expected);
}
