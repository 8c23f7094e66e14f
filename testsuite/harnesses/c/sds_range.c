/* A range of a string is at most as long as the string, and starts where it should. */
#include "harness.h"
#include "hiredis/sds.c"

int main(void) {
    char text[4];
    any_bytes(text, sizeof text);
    sds string = sdsnewlen(text, sizeof text);
    int start = (int)any_below(8) - 4, end = (int)any_below(8) - 4;
    sdsrange(string, start, end);
    claim(sdslen(string) <= 4);
    int from = start < 0 ? start + 4 : start;
    claim(sdslen(string) == 0 || string[0] == text[from]);
    sdsfree(string);
}
