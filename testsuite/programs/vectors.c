/* Vectors of the GCC extension, and loops that optimisers turn into vectors. */
#include "check.h"
#include <stdint.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char v16c __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));
typedef long long v2l __attribute__((vector_size(16)));

static unsigned total(v4 v) { return (unsigned)v[0] + (unsigned)v[1] * 3 + (unsigned)v[2] * 5 + (unsigned)v[3] * 7; }
static v4 mix(v4 a, v4 b) { return a * 3 - b; }

static v4 global = {1, 2, 3, 4};
struct holder { char c; v4 v; };

static void add_arrays(int *restrict to, const int *restrict a, const int *restrict b, int n) {
    for (int i = 0; i < n; i++)
        to[i] = a[i] + b[i] * 2;
}
static unsigned sum_bytes(const uint8_t *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
static int largest(const int *p, int n) {
    int m = p[0];
    for (int i = 1; i < n; i++)
        m = p[i] > m ? p[i] : m;
    return m;
}
static int count_small(const short *p, int n, short bound) {
    int c = 0;
    for (int i = 0; i < n; i++)
        c += p[i] < bound;
    return c;
}

int main(void) {
    int n = (int)input(), m = (int)(input() | 1);
    v4 a = {n, m, 3, -4}, b = {1, 2, n, m};
    result(total(a + b)), result(total(a - b)), result(total(a * b)), result(total(a & b)), result(total(a ^ ~b));
    result(total(a << (v4){1, 2, 3, 4})), result(total(a >> 3)), result(total(a / (v4){3, 5, 7, 9})), result(total(a < b)), result(total(a == b));
    result(total(mix(a, global))), result(total(-a)), result(total(a + 10));
    global += a;
    global[n & 3] = 99;
    result(total(global)), result((unsigned)a[m & 3]);
    result(total(__builtin_shufflevector(a, b, 0, 5, 2, 7))), result(total(__builtin_shufflevector(a, a, 3, 2, 1, 0)));
    v4f f = {1.5f, (float)(n & 0xFF), -2.0f, 0.25f}, g = f * 2.0f + f;
    result_double(g[0] + g[1]), result_double(f[1] / 3 + g[2] * g[3]);
    result(total(f < g)), result(total(__builtin_convertvector(g, v4)));
    v2d d = {n * 0.5, 2.0};
    d += (v2d){1, -1};
    result_double(d[0]), result_double(d[1]);
    v16c c;
    for (int i = 0; i < 16; i++)
        c[i] = (unsigned char)(i * n);
    c = c + c;
    unsigned h = 0;
    for (int i = 0; i < 16; i++)
        h = h * 7 + c[i];
    result(h);
    v2l w = (v2l)a;
    result((unsigned long long)w[0]), result((unsigned long long)(w[1] >> 3));
    v8s s = (v8s)b;
    result((unsigned)s[2]);
    struct holder x = {'x', a}, y = x;
    y.v *= 2;
    result(total(x.v)), result(total(y.v));
    v4 many[3] = {a, b, a + b};
    result(total(many[(unsigned)n % 3])), result(total(n > 3 ? a : b));

    int p[23], q[23], r[23];
    uint8_t bytes[50];
    short shorts[37];
    for (int i = 0; i < 23; i++)
        p[i] = i * n, q[i] = i - m;
    for (int i = 0; i < 50; i++)
        bytes[i] = (uint8_t)(i * m);
    for (int i = 0; i < 37; i++)
        shorts[i] = (short)(i * n + m);
    add_arrays(r, p, q, 23);
    h = 0;
    for (int i = 0; i < 23; i++)
        h = h * 31 + (unsigned)r[i];
    result(h), result(sum_bytes(bytes, 50)), result((unsigned)largest(p, 23)), result((unsigned)count_small(shorts, 37, (short)m));
    return 0;
}
