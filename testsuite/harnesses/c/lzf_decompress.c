/* Decompressing unknown bytes stays within the output. */
#include "harness.h"
#include "liblzf/lzf_d.c"

int main(void) {
    unsigned char packed[4], plain[8];
    any_bytes(packed, sizeof packed);
    claim(lzf_decompress(packed, sizeof packed, plain, sizeof plain) <= sizeof plain);
}
