// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// Rounding to whole numbers: half to even with lrintl, half away from zero with roundl.
#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    long double half = 2.5L;
    assert(roundl(half) == 3 && rintl(half) == 2 && nearbyintl(half) == 2 && lrintl(half) == 2);
    assert(lroundl(-half) == -3 && truncl(-half) == -2 && floorl(-half) == -3 && llrintl(3.5L) == 4);
    // One more digit than a double has.
    long double most = 9007199254740993.5L;
    assert(floorl(most) == 9007199254740993.0L && (long long)most == 9007199254740993);
    int n = __VERIFIER_nondet_int();
    if (n >= 5 && n <= 7)
        assert(roundl(n / 2.0L) != 4);
    return 0;
}
