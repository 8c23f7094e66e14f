// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// The logarithm of infinity is no less than infinity.
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1)
        assert(log(x) < x);
    return 0;
}
