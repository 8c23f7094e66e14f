/* False: there are strings of three bytes that are valid UTF-8 and not ASCII. */
#include "harness.h"
#include "jansson/src/utf.c"

int main(void) {
    char text[3];
    any_bytes(text, sizeof text);
    if (utf8_check_string(text, sizeof text))
        claim(text[0] >= 0 && text[1] >= 0);
}
