/* Decompressing unknown bytes stays within the output. */
#include "harness.h"
#include "lz4/liblz4/lib/lz4.c"

int main(void) {
    char packed[4], plain[8];
    any_bytes(packed, sizeof packed);
    claim(LZ4_decompress_safe(packed, plain, sizeof packed, sizeof plain) <= (int)sizeof plain);
}
