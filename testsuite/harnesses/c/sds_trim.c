/* False: blanks inside of a string remain. */
#include "harness.h"
#include "hiredis/sds.c"

int main(void) {
    char text[3];
    any_bytes(text, sizeof text);
    sds string = sdstrim(sdsnewlen(text, sizeof text), " ");
    for (size_t i = 0; i < sdslen(string); i++)
        claim(string[i] != ' ');
}
