/* float and double: arithmetic, comparisons, conversions, special values. */
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>

static double polynomial(double x, const double *c, int n) {
    double r = 0;
    while (n--)
        r = r * x + c[n];
    return r;
}

static float mean(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / (float)n;
}

static double root(double x) {
    double guess = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++)
        guess = 0.5 * (guess + x / guess);
    return guess;
}

static void compare(double a, double b) {
    result((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    result(__builtin_isunordered(a, b) | __builtin_isless(a, b) << 1 | __builtin_islessgreater(a, b) << 2);
    result((a ? 1 : 0) | (!b) << 1 | (a && b) << 2);
}

int main(void) {
    unsigned n = input(), m = input();
    double x = (double)(int)n / 7.0, y = (double)m * 1.0e-3;
    result_double(x + y), result_double(x - y), result_double(x * y);
    if (y != 0)
        result_double(x / y);
    result_double(-x);
    float f = (float)x, g = (float)y;
    result_double(f + g), result_double(f * g), result_double(f - g);
    result_double((float)(f + 1.0));

    compare(x, y), compare(x, x), compare(0.0, -0.0), compare(NAN, x), compare(INFINITY, x), compare(-INFINITY, y);

    /* To and from integers. */
    result((uint64_t)(int64_t)x), result((uint64_t)(int)(x / 4)), result((unsigned)y);
    result((uint64_t)(int64_t)(signed char)(x / 1e9));
    result((uint64_t)(f > -1e6f && f < 1e6f ? (long long)f : 5));
    result_double((double)n), result_double((float)n), result_double((float)(int)m);
    result_double((double)((uint64_t)n << 32 | m)), result_double((float)((uint64_t)n << 32 | m));
    result_double((double)(int64_t)((uint64_t)n << 32 | m));
    result_double((double)(n & 1)), result((_Bool)x);

    const double coefficients[] = {1, -0.5, 0.25, -0.125, 3.5};
    result_double(polynomial(x / 1e8, coefficients, 5));
    const float values[] = {f, g, 1.5f, -2.25f, 1e10f};
    result_double(mean(values, 5));
    result_double(root(fabs(x)));
    result_double(sqrt(y)), result_double(floor(x)), result_double(ceil(x)), result_double(trunc(x));
    result_double(fmin(x, y)), result_double(fmax(x, y)), result_double(copysign(y, x));
    result_double(rint(x)), result_double(nearbyint(y)), result_double(round(x));
    result_double(fmod(x, 3.25)), result_double(ldexp(y, 3)), result_double(fma(x, y, 1.0));
    result(signbit(-0.0) ? 1 : 0), result(isnan(NAN * x) ? 1 : 0), result(isinf(DBL_MAX * 2 * (1 + y)) ? 1 : 0);

    /* Subnormal numbers, rounding, overflow to infinity. */
    double tiny = DBL_MIN;
    for (int i = 0; i < 20; i++)
        tiny /= 2;
    result_double(tiny + y * DBL_MIN);
    float big = FLT_MAX;
    result_double(big + big * (float)(m & 1));
    result_double(0.1 + 0.2), result_double((float)0.1 + (double)0.2f), result_double((float)(1.0 + FLT_EPSILON / 2));
    volatile double one = 1, three = 3;
    result_double(one / three * three - one), result_double(1e308 * three / 1e10);
    return 0;
}
