// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE, auto SAFE
// truth: safe
// flags: --max-recursion 5
// McCarthy's function calls itself with its own result.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int f(int x)
{
    if (x > 100)
        return x - 10;
    return f(f(x + 11));
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int result = f(x);
    assert(result == 91 || (x > 101 && result == x - 10));
    return 0;
}
