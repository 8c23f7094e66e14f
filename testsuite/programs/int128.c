/* Integers of 128 bits, where the target has them. */
#include "check.h"

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(u128 value) {
    result((unsigned long long)value);
    result((unsigned long long)(value >> 64));
}

static u128 number(void) {
    u128 n = 0;
    for (int i = 0; i < 4; i++)
        n = n << 32 | input();
    return n;
}

struct holder {
    char tag;
    i128 value;
};

static struct holder twice(struct holder h) {
    h.value *= 2;
    h.tag++;
    return h;
}

int main(void) {
    u128 a = number(), b = number();
    show(a + b);
    show(a - b);
    show(a * b);
    show(b ? a / b : a);
    show(b ? a % b : b);
    i128 sa = (i128)a, sb = (i128)b;
    show((u128)(sb && sb != -1 ? sa / sb : 0));
    show((u128)(sb && sb != -1 ? sa % sb : 0));
    show(a << (unsigned)(b & 127));
    show(a >> (unsigned)(b & 127));
    show((u128)(sa >> (unsigned)(b & 127)));
    result((a < b) | (sa < sb) << 1 | (a == b) << 2);
    show((u128)(i128)(int)a);
    show((u128)((unsigned long long)a * (u128)(unsigned long long)b));
    struct holder h = twice((struct holder){'a', sa});
    show((u128)h.value);
    result((unsigned char)h.tag);
    result_double((double)(unsigned long long)(a >> 64) * 3.0);
    result_double((double)a);
    result_double((double)sb);
    show((u128)(i128)(-12345.75 * (double)(short)a));
    return 0;
}
#else
int main(void) { result(0); }
#endif
