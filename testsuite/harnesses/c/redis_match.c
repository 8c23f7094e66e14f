/* A pattern without special characters matches only itself. */
#include "harness.h"
#include "redis/src/util.c"

int main(void) {
    char pattern[3], text[2];
    any_text(pattern, 2);
    any_bytes(text, sizeof text);
    for (int i = 0; i < 2; i++)
        __VERIFIER_assume(pattern[i] != '*' && pattern[i] != '?' && pattern[i] != '[' && pattern[i] != '\\');
    int same = pattern[0] == text[0] && pattern[1] == text[1];
    claim(stringmatchlen(pattern, 2, text, 2, 0) == same);
}
