// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Example 3.2 of paper 002: that a variable is not zero is no value of it.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 0)
        assert(x != 0);
    return 0;
}
