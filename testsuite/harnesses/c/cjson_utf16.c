/* A \u escape outside of the surrogates makes one to three bytes. */
#include "harness.h"
#include "cjson/cJSON.c"

int main(void) {
    unsigned char text[6] = "\\u", out[4], *end = out;
    any_bytes(text + 2, 4);
    unsigned char consumed = utf16_literal_to_utf8(text, text + 6, &end);
    unsigned code = parse_hex4(text + 2);
    if (code >= 0xd800 && code <= 0xdfff)
        claim(consumed == 0);
    if (consumed)
        claim(consumed == 6 && end - out == (code < 0x80 ? 1 : code < 0x800 ? 2 : 3));
}
