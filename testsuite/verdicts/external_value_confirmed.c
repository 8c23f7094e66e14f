// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// The path depends on a64l, which has no model; running the program shows that it really returns 1.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (a64l("/") == 1 && x > 5)
        assert(x > 6);
    return 0;
}
