// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE
// truth: safe
// flags: --max-recursion 20
// Results through pointers to variables of the caller, and a global variable.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int calls;

static void divide(int n, int d, int *quotient, int *remainder)
{
    int q, r;
    if (n < d) {
        *quotient = 0;
        *remainder = n;
        return;
    }
    divide(n - d, d, &q, &r);
    *quotient = q + 1;
    *remainder = r;
}

static void count(int n)
{
    if (n > 0) {
        calls++;
        count(n - 1);
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    int q, r;
    divide(n, 7, &q, &r);
    assert(r >= 0 && r < 7);
    count(n);
    assert(calls == n);
    return 0;
}
