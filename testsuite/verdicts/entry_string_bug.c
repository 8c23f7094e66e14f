// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// flags: --entry=is_command --string=text --max-length=3
// inputs: 0,2,103,111
// A text of any length, which ends with a zero.
#include <assert.h>
int is_command(const char *text) {
    if (!text || text[0] != 'g' || text[1] != 'o')
        return 0;
    assert(text[2]);
    return 1;
}
