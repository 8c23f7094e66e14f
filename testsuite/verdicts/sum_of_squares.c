// expect: value UNKNOWN, value-full UNKNOWN, k-induction SAFE
// truth: safe
// Closed forms of sums: invariants are equations of degree two and three.
#include <clew.h>

int main(void) {
    int n = clew_any_int();
    clew_assume(n >= 0 && n <= 30);
    int sum = 0, squares = 0;
    for (int i = 1; i <= n; i++) {
        sum += i;
        squares += i * i;
    }
    clew_assert(2 * sum == n * (n + 1));
    clew_assert(6 * squares == n * (n + 1) * (2 * n + 1));
    return 0;
}
