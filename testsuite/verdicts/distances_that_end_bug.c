// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// The distance of a local variable from a global one ends with the call, and with any other write to one of them.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int base;
static int distance(int set) {
    int here;
    if (set)
        here = base;
    return here == base;
}
int main(void) {
    base = __VERIFIER_nondet_int();
    int first = distance(1);
    assert(first);
    int second = distance(0);
    assert(second);
    return 0;
}
