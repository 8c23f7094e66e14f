/* strlcpy terminates, truncates and returns the length of its source. */
#include "harness.h"
#include <string.h>
#define strlcpy bsd_strlcpy
#include "libbsd/src/strlcpy.c"

int main(void) {
    char source[5], target[4] = {1, 1, 1, 1};
    any_text(source, 4);
    unsigned size = any_below(5);
    size_t length = strlcpy(target, source, size);
    claim(length == strlen(source));
    if (size > 0)
        claim(strlen(target) == (length < size ? length : size - 1));
    for (unsigned i = 0; size > 0 && target[i]; i++)
        claim(target[i] == source[i]);
}
