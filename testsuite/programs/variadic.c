/* Variadic functions: ints, doubles, long doubles, structures, many arguments, va_copy, va_list passed on. */
#include "check.h"
#include <stdarg.h>

struct small { int a; char b; };
struct reals { double a, b; };
struct large { int items[10]; };

static unsigned sum(int n, ...) {
    va_list list;
    va_start(list, n);
    unsigned r = 0;
    while (n--)
        r += (unsigned)va_arg(list, int);
    va_end(list);
    return r;
}

static double mixed(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    double r = 0;
    for (; *kinds; kinds++) {
        r *= 2;
        switch (*kinds) {
        case 'i': r += va_arg(list, int); break;
        case 'u': r += va_arg(list, unsigned); break;
        case 'l': r += (double)va_arg(list, long long); break;
        case 'd': r += va_arg(list, double); break;
        case 'L': r += (double)va_arg(list, long double); break;
        case 'p': r += *va_arg(list, int *); break;
        case 's': { struct small s = va_arg(list, struct small); r += s.a + s.b; break; }
        case 'r': { struct reals s = va_arg(list, struct reals); r += s.a - s.b; break; }
        case 'b': { struct large s = va_arg(list, struct large); r += s.items[0] + s.items[9]; break; }
        }
    }
    va_end(list);
    return r;
}

static unsigned take(int n, va_list list) {
    unsigned r = 1;
    while (n--)
        r = r * 31 + va_arg(list, unsigned);
    return r;
}

static unsigned two_passes(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    unsigned first = take(n, list), second = 0;
    for (int i = 0; i < n; i++)
        second ^= va_arg(again, unsigned) << i;
    va_end(again);
    va_end(list);
    return first + second;
}

static double after_fixed(double a, int b, struct reals c, double d, ...) {
    va_list list;
    va_start(list, d);
    double e = va_arg(list, double);
    int f = va_arg(list, int);
    va_end(list);
    return a + b + c.a + c.b + d + e * 2 + f * 3;
}

static unsigned none(int n, ...) { return (unsigned)n * 2; }

int main(void) {
    int n = (int)input();
    result(sum(0)), result(sum(1, n)), result(sum(3, n, 2, 3));
    result(sum(14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, n, 14));
    result_double(mixed("idi", 1, 2.5, n));
    result_double(mixed("dddddddddddi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., n));
    result_double(mixed("uLlLp", 3000000000u, 1.5L, 1ll << 40, -2.25L, &n));
    struct small s = {n & 0xFFF, 'c'};
    struct reals r = {n * 0.5, 1.5};
    struct large l = {{n & 0xFF, [9] = 77}};
    result_double(mixed("srb", s, r, l));
    result_double(mixed("isrbsrdsrbi", 1, s, r, l, s, r, 9.0, s, r, l, 5));
    result(two_passes(9, 1u, 2u, (unsigned)n, 4u, 5u, 6u, 7u, 8u, 9u));
    result_double(after_fixed(1, 2, r, 4, 5.5, n & 0xFFFF));
    unsigned (*f)(int, ...) = n & 1 ? sum : none;
    result(f(2, 5, n));
    return 0;
}
