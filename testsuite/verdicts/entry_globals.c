// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// flags: --entry=step
// Without --any-globals, they have their initial values.
#include <assert.h>
static int state = 1;
void step(int by) {
    state += by & 7;
    assert(state <= 8);
}
