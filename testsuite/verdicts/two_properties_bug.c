// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// flags: --property assert
// inputs: 2
// The call of reach_error is not what is asked for; the assertion is, and it fails with another input.
#include <assert.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1)
        reach_error();
    assert(x != 2);
    return 0;
}
