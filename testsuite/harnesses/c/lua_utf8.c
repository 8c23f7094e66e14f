/* What Lua writes as UTF-8 it reads as the same number, in the same length. */
#include "harness.h"
#include "lua5.4/src/lobject.c"
#include "lua5.4/src/lutf8lib.c"

int main(void) {
    char buffer[UTF8BUFFSZ + 1] = {0};
    unsigned long code = __VERIFIER_nondet_uint();
    __VERIFIER_assume(code <= 0x7fffffff);
    int length = luaO_utf8esc(buffer, code);
    claim(length >= 1 && length <= 6);
    utfint again;
    const char *start = buffer + UTF8BUFFSZ - length, *end = utf8_decode(start, &again, 0);
    claim(end == start + length && again == code);
}
