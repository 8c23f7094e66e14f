/* A code point that utf8proc reads, it writes as the same bytes. */
#include "harness.h"
#include "utf8proc/utf8proc.c"

int main(void) {
    utf8proc_uint8_t bytes[4], again[4];
    utf8proc_int32_t code;
    any_bytes(bytes, sizeof bytes);
    utf8proc_ssize_t length = utf8proc_iterate(bytes, sizeof bytes, &code);
    if (length > 0) {
        claim(utf8proc_encode_char(code, again) == length);
        for (int i = 0; i < length; i++)
            claim(again[i] == bytes[i]);
    }
}
