// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE, auto SAFE
// truth: safe
// flags: --max-recursion 5
// A recursive function with a claim of its own about its arguments.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int clamp(int x, int low)
{
    assert(low == 3);
    if (x < low)
        return low;
    if (x > 9)
        return clamp(x - 1, low);
    return x;
}

int main(void)
{
    int x = clamp(__VERIFIER_nondet_int(), 3);
    assert(x >= 3 && x <= 9);
    return 0;
}
