// expect: value UNSAFE, value-full UNSAFE, summaries UNKNOWN, auto UNSAFE
// truth: unsafe
// flags: --max-recursion 30
// inputs: 14
// One argument has a wrong result, so that no contract holds for all.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sum(int n)
{
    if (n <= 0)
        return 0;
    return n + sum(n - 1) + (n == 14);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20)
        return 0;
    assert(2 * sum(n) == n * (n + 1));
    return 0;
}
