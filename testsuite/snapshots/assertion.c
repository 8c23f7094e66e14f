// The shape of example 2.2 of paper 002: an assertion at the end leads to the error location or to the final one.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int level = __VERIFIER_nondet_int();
    if (level < 0)
        level = -level;
    assert(level >= 0);
    return 0;
}
