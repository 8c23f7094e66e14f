/* Four hexadecimal digits have the value that their definition says. */
#include "harness.h"
#include "cjson/cJSON.c"

int main(void) {
    unsigned char text[4];
    unsigned expected = 0;
    any_bytes(text, sizeof text);
    for (int i = 0; i < 4; i++) {
        unsigned char c = text[i];
        unsigned digit = 16;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            digit = (c | 32) - 'a' + 10;
        __VERIFIER_assume(digit < 16);
        expected = expected * 16 + digit;
    }
    claim(parse_hex4(text) == expected);
}
