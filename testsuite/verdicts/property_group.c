// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property ub,assert
// Several kinds are checked at once, and none is violated.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int cells[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int() & 3;
    int cell = cells[i];
    assert(cell < 5);
    return 12 / cell + (cell << 3);
}
