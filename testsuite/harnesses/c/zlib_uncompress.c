/* No zlib stream is as short as four bytes. */
#include "harness.h"
#include "libz/src/zlib/zlib.h"

int main(void) {
    unsigned char bytes[4], plain[8];
    uLongf length = sizeof plain;
    any_bytes(bytes, sizeof bytes);
    claim(uncompress(plain, &length, bytes, sizeof bytes) != Z_OK);
}
