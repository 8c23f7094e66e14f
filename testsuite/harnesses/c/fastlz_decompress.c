/* Decompressing literals copies them. */
#include "harness.h"
#include "fastlz/fastlz/fastlz.c"

int main(void) {
    unsigned char packed[4], plain[8];
    any_bytes(packed, sizeof packed);
    packed[0] &= 31;
    int length = fastlz_decompress(packed, sizeof packed, plain, sizeof plain);
    claim(length >= 0 && length <= 8);
    if (packed[0] == 2)
        claim(length == 3 && plain[0] == packed[1] && plain[2] == packed[3]);
}
