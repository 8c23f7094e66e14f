/* The crc of two parts, computed one after the other, is that of the whole. */
#include "harness.h"
#include "libz/src/zlib/crc32.c"

int main(void) {
    unsigned char bytes[4];
    any_bytes(bytes, sizeof bytes);
    unsigned split = any_below(5);
    unsigned long first = crc32(0, bytes, split);
    claim(crc32(first, bytes + split, 4 - split) == crc32(0, bytes, 4));
}
