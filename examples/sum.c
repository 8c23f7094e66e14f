// Adds up the numbers from 1 to n and compares with Gauss's formula.
#include <clew.h>

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 100);

    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i;

    if (sum != n * (n + 1) / 2)
        reach_error();
    return 0;
}
