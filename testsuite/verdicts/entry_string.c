// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// flags: --entry=length --string=text --max-length=2
// A text ends with a zero, so the loop stays in it.
#include <assert.h>
unsigned length(const char *text) {
    unsigned length = 0;
    while (text && text[length])
        length++;
    assert(length <= 2);
    return length;
}
