// expect: value UNKNOWN, value-full UNKNOWN, auto SAFE
// truth: safe
// flags: --time-limit 30s
// Signs, ranges and orders of library functions with unknown arguments.
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    if (x > 0 && x < 3) {
        assert(sin(x) > 0);
    }
    if (x < 0 && x >= -1) {
        assert(acos(x) > 1.5);
    }
    if (x > 1 && x < 100) {
        assert(pow(x, 3) >= 1 && pow(-x, 2) >= 0);
        assert(log(x) < x);
    }
    if (x > 0 && y > 0) {
        assert(atan2(y, x) < 1.6);
    }
    return 0;
}
