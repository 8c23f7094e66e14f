/* A code point survives being written as UTF-8 and read again. */
#include "harness.h"
#include "jansson/src/utf.c"

int main(void) {
    char buffer[4];
    size_t size;
    int32_t code = __VERIFIER_nondet_int(), again;
    if (utf8_encode(code, buffer, &size) == 0 && !(code >= 0xd800 && code <= 0xdfff)) {
        claim(utf8_check_first(buffer[0]) == size);
        if (size > 1)
            claim(utf8_check_full(buffer, size, &again) && again == code);
    }
}
