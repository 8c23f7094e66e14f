// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE, auto SAFE
// truth: safe
// flags: --max-recursion 20
// The sum of the first numbers is known for any depth of recursion.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sum(int n)
{
    if (n <= 0)
        return 0;
    return n + sum(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000)
        return 0;
    assert(2 * sum(n) == n * (n + 1));
    return 0;
}
