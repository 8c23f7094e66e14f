/* False: three characters can be read as a number above one hundred thousand. */
#include "harness.h"
#include "lua5.4/src/lobject.c"
#include "lua5.4/src/lctype.c"

int main(void) {
    char text[4] = {0};
    TValue value;
    any_bytes(text, 3);
    if (luaO_str2num(text, &value) && ttisfloat(&value))
        claim(fltvalue(&value) < 1e5);
}
