/* zlib's adler32 agrees with the definition. */
#include "harness.h"
#include "libz/src/zlib/adler32.c"

int main(void) {
    unsigned char bytes[4];
    any_bytes(bytes, sizeof bytes);
    unsigned a = 1, b = 0;
    for (int i = 0; i < 4; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    claim(adler32(1, bytes, sizeof bytes) == ((unsigned long)b << 16 | a));
}
