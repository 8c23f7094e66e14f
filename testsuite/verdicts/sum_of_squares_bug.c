// expect: value UNSAFE, value-full UNSAFE, k-induction UNSAFE, runs UNSAFE, auto UNSAFE
// truth: unsafe
// inputs: 7
// The closed form is wrong for one number.
#include <clew.h>

int main(void) {
    int n = clew_any_int();
    clew_assume(n >= 0 && n <= 60);
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i == 7 ? 6 : i;
    clew_assert(n != 7 || 2 * sum == n * (n + 1));
    return 0;
}
