// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Functions that call themselves and each other.
#include <assert.h>
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
    assert(factorial(6) == 720);
    assert(is_even(10) && !is_even(7));
    assert(ackermann(2, 2) == 7);
    return 0;
}
