/* Lua reads two decimal digits as their value. */
#include "harness.h"
#include "lua5.4/src/lobject.c"
#include "lua5.4/src/lctype.c"

int main(void) {
    char text[4] = {0};
    lua_Integer number;
    any_bytes(text, 3);
    const char *end = l_str2int(text, &number);
    if (text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9' && text[2] == 0)
        claim(end == text + 2 && number == (text[0] - '0') * 10 + text[1] - '0');
    else if (end)
        claim(number > -1000 && number < 1000);
}
