// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 7
// The mode is not restored on one path.
#include <assert.h>
#include <fenv.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

static long halved(int n) {
    int before = fegetround();
    fesetround(FE_UPWARD);
    long result = lrint((double)n);
    if (n == 7)
        return result;
    fesetround(before);
    return result;
}

int main(void) {
    halved(__VERIFIER_nondet_int());
    assert(lrint(0.25) == 0);
    return 0;
}
