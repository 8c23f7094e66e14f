/* Decompressing unknown bytes stays within the output. */
#include "harness.h"
#include "minilzo/minilzo/minilzo.c"

int main(void) {
    unsigned char packed[5], plain[8];
    lzo_uint length = sizeof plain;
    any_bytes(packed, sizeof packed);
    int result = lzo1x_decompress_safe(packed, sizeof packed, plain, &length, NULL);
    claim(length <= sizeof plain);
    claim(result != LZO_E_OUT_OF_MEMORY);
}
