// expect: value UNKNOWN, value-full UNKNOWN, predicate UNKNOWN
// truth: safe
// a64l has no model, so it may return anything; the real one returns 1, which a native run shows.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    long value = a64l("/");
    assert(value == 0 || value == 1);
    return 0;
}
