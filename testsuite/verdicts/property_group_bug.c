// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property ub,assert
// inputs: 7
// Several kinds are checked at once; the index is out of bounds before anything else goes wrong.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int cells[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int() & 7;
    int cell = cells[i];
    assert(cell < 5);
    return 12 / cell;
}
