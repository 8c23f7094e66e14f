// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// Rounding to whole numbers follows the rounding mode; what is rounded in one mode keeps its value in the next.
#include <assert.h>
#include <fenv.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

static void in_mode(int mode, double up, double down) {
    assert(fesetround(mode) == 0 && fegetround() == mode);
    assert(rint(2.5) == up && nearbyintf(-2.5f) == down && lrintl(2.5L) == up && llrint(-2.5) == down);
}

int main(void) {
    assert(fegetround() == FE_TONEAREST && fesetround(1) != 0);
    in_mode(FE_TONEAREST, 2, -2);
    in_mode(FE_UPWARD, 3, -2);
    in_mode(FE_DOWNWARD, 2, -3);
    in_mode(FE_TOWARDZERO, 2, -2);

    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    double exact = n; // exact in every mode
    fesetround(FE_UPWARD);
    double kept = rint(exact);
    fesetround(FE_TONEAREST);
    assert(kept == n);
    return 0;
}
