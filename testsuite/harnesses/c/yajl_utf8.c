/* A continuation byte cannot start a valid string. */
#include "harness.h"
#include "yajl/src/yajl_encode.c"

int main(void) {
    unsigned char text[4];
    any_bytes(text, sizeof text);
    if (yajl_string_validate_utf8(text, sizeof text)) {
        claim((text[0] & 0xc0) != 0x80);
        claim(text[3] < 0xc0);
    }
}
