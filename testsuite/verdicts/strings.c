// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// Strings by functions of the library and by hand.
#include <assert.h>
#include <string.h>
int main(void) {
    char buffer[16];
    strcpy(buffer, "clew");
    strcat(buffer, " of ");
    strcat(buffer, "thread");
    assert(strlen(buffer) == 14);
    assert(strcmp(buffer, "clew of thread") == 0);
    char *word = strchr(buffer, 't');
    assert(word == buffer + 8);
    int vowels = 0;
    for (const char *at = buffer; *at; at++)
        if (memchr("aeiou", *at, 5))
            vowels++;
    assert(vowels == 4);
    return 0;
}
