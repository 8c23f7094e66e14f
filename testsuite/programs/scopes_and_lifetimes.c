/* Block scopes that run again, locals of loops whose address is taken, shadowed and reused slots. */
#include "check.h"

static int *seen[4];
static int touch(int *p, int by) { return *p += by; }
static int deep(int n) {
    int local = n;
    int *p = &local;
    if (n > 0) {
        int local = deep(n - 1);
        *p += local;
    }
    return *p;
}
static int helper_sum(int count, const int *items) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        int item = items[i];
        total = touch(&item, total);
    }
    return total;
}

int main(void) {
    int n = (int)(input() & 0xFF);
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        int fresh = i * n;
        seen[i] = &fresh;
        r = r * 3 + (unsigned)touch(seen[i], i);
    }
    result(r), result((unsigned)deep(n & 7));
    {
        int a = n;
        r += (unsigned)touch(&a, 1);
    }
    {
        long long a = n;
        long long *p = &a;
        *p <<= 33;
        r += (unsigned)(a >> 31);
    }
    result(r);
    int again = 0;
repeat: {
    int counter = again;
    int *p = &counter;
    *p += 1;
    again = *p;
}
    if (again < 5)
        goto repeat;
    result((unsigned)again);
    int items[] = {n, 2, 3};
    result((unsigned)helper_sum(3, items));
    struct { int v; } pair[2] = {{n}, {n + 1}}, *q = pair;
    int old = q++->v;
    result((unsigned)(old * 1000 + q->v));
    for (struct { int i; unsigned p; } s = {0, 1}; s.i < 5; s.i++, s.p *= 3)
        r ^= s.p;
    result(r);
    return 0;
}
