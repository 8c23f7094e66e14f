/* goto, computed goto, switch with ranges and fall-through, loops of all kinds, short circuits, commas. */
#include "check.h"

static unsigned trail;
static int note(int mark, int value) {
    trail = trail * 17 + (unsigned)mark;
    return value;
}

static int classify(int c) {
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f':
    case 'A' ... 'F': return 2;
    case -100 ... -1: return 3;
    case 0: return 4;
    case 0x7FFFFFFF: return 5;
    default: return 6;
    }
}

static unsigned fall_through(unsigned n) {
    unsigned r = 0;
    switch (n & 7) {
    case 5: r += 5;
    case 4: r += 40;
    case 3:
        r += 300;
        break;
    default: r = 9;
    case 1: r += 1;
    case 2: r ^= 2;
    }
    return r;
}

/* A loop entered in the middle. */
static unsigned copy_unrolled(unsigned char *to, const unsigned char *from, unsigned n) {
    unsigned rounds = (n + 3) / 4, done = 0;
    if (n == 0)
        return 0;
    switch (n % 4) {
    case 0: do { *to++ = *from++; done++;
    case 3: *to++ = *from++; done++;
    case 2: *to++ = *from++; done++;
    case 1: *to++ = *from++; done++;
            } while (--rounds > 0);
    }
    return done;
}

static int machine(const unsigned char *code, int x) {
    static const void *const labels[] = {&&halt, &&increment, &&twice, &&negate, &&jump_if_odd};
    int steps = 0, r = x;
    goto *labels[*code];
increment:
    r += 1, steps++;
    goto *labels[*++code];
twice:
    r *= 2, steps++;
    goto *labels[*++code];
negate:
    r = -r, steps++;
    goto *labels[*++code];
jump_if_odd:
    steps++;
    code += r & 1 ? 2 : 1;
    goto *labels[*code];
halt:
    return r * 100 + steps;
}

static int search(int key) {
    static const int table[3][3] = {{1, 5, 9}, {2, 6, 10}, {3, 7, 11}};
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (table[i][j] == key)
                goto found;
    return -1;
found:
    return i * 10 + j;
}

static int collatz(unsigned n) {
    int steps = 0;
again:
    if (n <= 1 || steps > 300)
        return steps;
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
    goto again;
}

static unsigned long_switch(unsigned long long n) {
    switch (n) {
    case 0x100000000ull: return 1;
    case 0xFFFFFFFFFFFFFFFFull: return 2;
    case 17: return 3;
    }
    return 4;
}

int main(void) {
    int n = (int)input(), m = (int)input();
    result((unsigned)classify(n)), result((unsigned)classify(n & 0x7F)), result((unsigned)classify(-(m & 0x7F)));
    for (unsigned i = 0; i < 8; i++)
        result(fall_through(i + (unsigned)n));
    unsigned char from[16] = "duff's device", to[16] = {0};
    result(copy_unrolled(to, from, (unsigned)n % 14)), result(to[0] + to[5] * 2u + to[12] * 3u);
    result((unsigned)machine((const unsigned char[]){1, 2, 4, 3, 1, 2, 0}, n));
    result((unsigned)machine((const unsigned char[]){4, 1, 3, 0}, m));
    result((unsigned)search(n & 15)), result((unsigned)collatz((unsigned)m & 0xFFF));
    result(long_switch((unsigned long long)(n & 1) << 32)), result(long_switch((unsigned long long)(long long)m));

    int a = note(1, n & 1) && note(2, m & 1);
    int b = note(3, n & 2) || note(4, m & 2);
    int c = note(5, n) ? note(6, 1) : note(7, 2);
    int d = (note(8, 1), note(9, m));
    int e = (n > 3 && m < 10) || (n < m && !(m & 1)) ? a ?: 7 : b;
    result(trail), result((unsigned)(a + b * 2 + c * 4 + d * 8 + e * 16));

    unsigned r = 0;
    int i = 0;
    do {
        if (i % 3 == 1)
            continue;
        if (i > (n & 31))
            break;
        r = r * 5 + (unsigned)i;
    } while (i++ < 20);
    result(r);
    for (int x = 0, y = 20; x < y; x += 2, y--)
        r += (unsigned)(x * y);
    while (1) {
        if (r % 7 == 0)
            break;
        r++;
    }
    for (;;)
        if (++r % 5 == 0)
            break;
    result(r);
    int s = ({ int t = n; t > 0 ? t : 1; });
    result((unsigned)s);
    return 0;
}
