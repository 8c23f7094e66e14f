// expect: value UNKNOWN, value-full UNKNOWN, summaries UNKNOWN
// truth: unsafe
// flags: --max-recursion 20
// inputs: 65536
// Sums of small numbers are never negative, but larger ones wrap around.
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
    if (n < 0 || n > 70000)
        return 0;
    assert(sum(n) >= 0);
    return 0;
}
