// expect: value SAFE, value-full SAFE
// truth: safe
// flags: --entry=length --string=text --max-length=3
// A text ends with a zero, so the loop stays in it.
#include <assert.h>
unsigned length(const char *text) {
    unsigned length = 0;
    while (text && text[length])
        length++;
    assert(length <= 3);
    return length;
}
