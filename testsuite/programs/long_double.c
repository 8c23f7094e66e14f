/* long double, seen through conversions; its padding is never looked at. */
#include "check.h"
#include <math.h>

struct pair {
    long double first;
    int second;
};

static long double sum(const long double *x, int n) {
    long double r = 0;
    for (int i = 0; i < n; i++)
        r += x[i];
    return r;
}

static struct pair scale(struct pair p, long double by) {
    p.first *= by;
    p.second++;
    return p;
}

static long double (*operation)(const long double *, int) = sum;

int main(void) {
    int n = (int)input();
    unsigned long long big = (unsigned long long)input() << 32 | input();
    long double x = (long double)n / 3.0L, y = (long double)big;
    /* 64 bits of mantissa hold every long long exactly. */
    result((unsigned long long)y);
    result_double((double)(x + 1)), result_double((double)(x * x)), result_double((double)(y / 7)), result_double((float)(x - 0.1L));
    result((unsigned long long)(long long)(x * 1000));
    result((x < y) | (x == y) << 1 | (x > 0) << 2);
    result((unsigned long long)((y + 0.5L - y) * 4));
    long double items[4] = {x, y, 1.0e-10L, -x};
    result_double((double)operation(items, 4));
    struct pair p = scale((struct pair){x, n}, 1.5L);
    result_double((double)p.first), result((unsigned)p.second);
    result_double((double)fabsl(-x - 1));
    long double product = 1;
    for (int i = 1; i < 25; i++)
        product *= i;
    result_double((double)product);
    long double e = 0, term = 1;
    for (int i = 1; i < 30; i++)
        e += term, term /= i;
    result_double((double)e), result_double((double)((e - (double)e) * 1e15L));
    result_double((double)-(long double)(short)n), result((unsigned)(int)(long double)(signed char)n);
    return 0;
}
