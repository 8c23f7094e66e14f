// Adds up the numbers from 1 to n and compares with Gauss's formula.
#include <clew.h>

int main(void) {
    unsigned n = clew_any_uint();
    clew_assume(n <= 100);

    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i;

    clew_assert(sum == n * (n + 1) / 2);
    return 0;
}
