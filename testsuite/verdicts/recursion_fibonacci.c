// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE
// truth: safe
// flags: --max-recursion 5
// Each result is computed once, though the program computes it again and again.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int fibonacci(int n)
{
    if (n < 1)
        return 0;
    if (n == 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 45)
        return 0;
    int result = fibonacci(n);
    assert(result >= 0 && result >= n - 1);
    return 0;
}
