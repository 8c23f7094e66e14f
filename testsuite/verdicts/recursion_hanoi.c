// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE
// truth: safe
// flags: --max-recursion 5
// The number of moves, counted in a global variable, is a power of two less one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int moves;

static void hanoi(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves++;
    hanoi(n - 1, via, to, from);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30)
        return 0;
    hanoi(n, 0, 1, 2);
    assert(moves == (1 << n) - 1);
    return 0;
}
