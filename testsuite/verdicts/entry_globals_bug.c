// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// flags: --entry=step --any-globals
// inputs: 8,3
// With any values of globals, the state before the call is arbitrary. Constants keep theirs.
#include <assert.h>
static int state = 1;
static const int limit = 10;
void step(int by) {
    state += by & 7;
    assert(limit == 10);
    assert(state != 11);
}
