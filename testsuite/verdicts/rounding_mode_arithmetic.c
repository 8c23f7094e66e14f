// expect: value UNKNOWN, value-full UNKNOWN
// truth: safe
// Sums in another mode than to nearest are not modelled.
#include <assert.h>
#include <fenv.h>

int main(void) {
    volatile double tenth = 0.1;
    double nearest = tenth + 0.2;
    fesetround(FE_DOWNWARD);
    assert(tenth + 0.2 < nearest);
    return 0;
}
