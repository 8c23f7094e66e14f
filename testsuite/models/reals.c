/* math.h: the exact functions bit by bit, the others by whether the model admits what the C library gives. */
#define _GNU_SOURCE
#include "harness.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define FOR_EACH_TYPE(X, name) X(name, double) X(name##f, float) X(name##l, long double)
#define DECLARE(name, type) MODEL(name);
#define FOR_EACH_EXACT1(X)                                                                                             \
    FOR_EACH_TYPE(X, fabs) FOR_EACH_TYPE(X, floor) FOR_EACH_TYPE(X, ceil) FOR_EACH_TYPE(X, trunc)                      \
    FOR_EACH_TYPE(X, round) FOR_EACH_TYPE(X, roundeven) FOR_EACH_TYPE(X, rint) FOR_EACH_TYPE(X, nearbyint)             \
    FOR_EACH_TYPE(X, sqrt) FOR_EACH_TYPE(X, logb)
#define FOR_EACH_EXACT2(X)                                                                                             \
    FOR_EACH_TYPE(X, fmod) FOR_EACH_TYPE(X, remainder) FOR_EACH_TYPE(X, drem) FOR_EACH_TYPE(X, fdim)                   \
    FOR_EACH_TYPE(X, copysign) FOR_EACH_TYPE(X, nextafter) FOR_EACH_TYPE(X, nexttoward)
#define FOR_EACH_ZERO2(X) FOR_EACH_TYPE(X, fmin) FOR_EACH_TYPE(X, fmax)
#define FOR_EACH_WHOLE(X)                                                                                              \
    FOR_EACH_TYPE(X, ilogb) FOR_EACH_TYPE(X, __isinf) FOR_EACH_TYPE(X, __finite) FOR_EACH_TYPE(X, __fpclassify)
/* Any number but 0 says yes. */
#define FOR_EACH_TRUTH(X) FOR_EACH_TYPE(X, __isnan) FOR_EACH_TYPE(X, __signbit)
#define FOR_EACH_POWER(X) FOR_EACH_TYPE(X, ldexp) FOR_EACH_TYPE(X, scalbn) FOR_EACH_TYPE(X, scalbln)
#define FOR_EACH_ROUNDED(X)                                                                                            \
    FOR_EACH_TYPE(X, lrint) FOR_EACH_TYPE(X, llrint) FOR_EACH_TYPE(X, lround) FOR_EACH_TYPE(X, llround)
#define FOR_EACH_LOOSE1(X)                                                                                             \
    FOR_EACH_TYPE(X, sin) FOR_EACH_TYPE(X, cos) FOR_EACH_TYPE(X, tan) FOR_EACH_TYPE(X, asin) FOR_EACH_TYPE(X, acos)    \
    FOR_EACH_TYPE(X, atan) FOR_EACH_TYPE(X, sinh) FOR_EACH_TYPE(X, cosh) FOR_EACH_TYPE(X, tanh)                        \
    FOR_EACH_TYPE(X, asinh) FOR_EACH_TYPE(X, acosh) FOR_EACH_TYPE(X, atanh) FOR_EACH_TYPE(X, exp)                      \
    FOR_EACH_TYPE(X, exp2) FOR_EACH_TYPE(X, exp10) FOR_EACH_TYPE(X, expm1) FOR_EACH_TYPE(X, log)                       \
    FOR_EACH_TYPE(X, log2) FOR_EACH_TYPE(X, log10) FOR_EACH_TYPE(X, log1p) FOR_EACH_TYPE(X, cbrt)                      \
    FOR_EACH_TYPE(X, erf) FOR_EACH_TYPE(X, erfc) FOR_EACH_TYPE(X, tgamma) FOR_EACH_TYPE(X, lgamma)                     \
    FOR_EACH_TYPE(X, j0) FOR_EACH_TYPE(X, j1) FOR_EACH_TYPE(X, y1)
#define FOR_EACH_LOOSE2(X) FOR_EACH_TYPE(X, pow) FOR_EACH_TYPE(X, atan2) FOR_EACH_TYPE(X, hypot)
FOR_EACH_EXACT1(DECLARE)
FOR_EACH_EXACT2(DECLARE)
FOR_EACH_ZERO2(DECLARE)
FOR_EACH_WHOLE(DECLARE)
FOR_EACH_TRUTH(DECLARE)
FOR_EACH_POWER(DECLARE)
FOR_EACH_ROUNDED(DECLARE)
FOR_EACH_LOOSE1(DECLARE)
FOR_EACH_LOOSE2(DECLARE)
FOR_EACH_TYPE(DECLARE, fma)
FOR_EACH_TYPE(DECLARE, modf)
FOR_EACH_TYPE(DECLARE, frexp)
FOR_EACH_TYPE(DECLARE, remquo)

/* Equal, also in the sign of zero; all NaN are one. */
static bool same(long double a, long double b) {
    return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
}

static double random_double(void) {
    static const double edges[] = {0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2, 2.5, -2.5, 3, 1e-300, 1e300, DBL_MAX, -DBL_MAX, DBL_MIN,
                                   4.9e-324, -4.9e-324, 2.2e-308, INFINITY, -INFINITY, NAN, 4503599627370497.5,
                                   9007199254740993.0, 2147483647.5, -2147483648.5, 0.49999999999999994, FLT_MAX,
                                   1.4e-45, FLT_MIN, 16777217, 1e19, -9223372036854775808.0, 10, 0.1, 100, 1e-10,
                                   0.9999999999999999, 1.0000000000000002, 0.99999994, 1.0000001, 1.5707, 3.1415, -1.5708, 1e-17};
    union { uint64_t bits; double real; } u = {random_bits()};
    switch (random_below(4)) {
    case 0: return edges[random_below(sizeof edges / sizeof *edges)];
    case 1: return isnan(u.real) ? 1 : u.real;
    case 2: return ((double)u.bits - 9e18) / (double)(1ULL << random_below(63));
    default: return (double)(int)random_below(2000) / 8 - 125;
    }
}

static long double random_real(size_t bytes) {
    double x = random_double();
    if (bytes == sizeof(float)) {
        union { uint32_t bits; float real; } u = {(uint32_t)random_bits()};
        return random_below(4) == 0 && !isnan(u.real) ? u.real : (float)x;
    }
    if (bytes == sizeof(double)) {
        return x;
    }
    /* More digits and larger exponents than a double has. */
    switch (random_below(4)) {
    case 0: return x + (long double)random_double() * 0x1p-60L;
    case 1: return scalbnl((long double)x, (int)random_below(32000) - 16000);
    case 2: return random_below(2) ? LDBL_MAX : -LDBL_TRUE_MIN;
    default: return x;
    }
}

/* Few values of long double have exponents so far apart that a modulus takes many steps. */
#define DRAW(type, x) type x = (type)random_real(sizeof(type))
#define CALL(expression) (errno = __clew_errno = 0, (expression))

#define EXACT1(name, type)                                                                                             \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        type a = CALL(model_##name(x)), b = name(x);                                                                   \
        check(same(a, b) && errno == __clew_errno, #name "(%La): %La, not %La; errno %d, not %d", (long double)x,      \
              (long double)a, (long double)b, __clew_errno, errno);                                                    \
    }
#define BINARY(name, type, equal)                                                                                      \
    for (int i = 0; i < 4000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        DRAW(type, y);                                                                                                 \
        if (i % 5 == 0) y = x;                                                                                         \
        type a = CALL(model_##name(x, y)), b = name(x, y);                                                             \
        check((equal) && errno == __clew_errno, #name "(%La, %La): %La, not %La; errno %d, not %d", (long double)x,    \
              (long double)y, (long double)a, (long double)b, __clew_errno, errno);                                    \
    }
#define EXACT2(name, type) BINARY(name, type, same(a, b))
#define ZERO2(name, type) BINARY(name, type, same(a, b) || (a == 0 && b == 0))
#define WHOLE(name, type)                                                                                              \
    for (int i = 0; i < 2000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        int a = CALL(model_##name(x)), b = name(x);                                                                    \
        check(a == b && errno == __clew_errno, #name "(%La): %d, not %d; errno %d, not %d", (long double)x, a, b,      \
              __clew_errno, errno);                                                                                    \
    }
#define TRUTH(name, type)                                                                                              \
    for (int i = 0; i < 1000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        check(!model_##name(x) == !name(x), #name "(%La)", (long double)x);                                            \
    }
#define POWER(name, type)                                                                                              \
    for (int i = 0; i < 6000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        int n = i % 9 == 0 ? (i % 2 ? INT_MAX : INT_MIN) : (int)random_below(i % 2 ? 40 : 4400) - (i % 2 ? 20 : 2200); \
        if (sizeof(type) > 8 && i % 3 == 0) n = (int)random_below(34000) - 17000;                                      \
        if (i % 4 == 1 && isfinite(x) && x != 0) {                                                                     \
            n = (sizeof(type) == 4 ? -140 : sizeof(type) == 8 ? -1060 : -16430) - ilogbl(x) + (int)random_below(20) - 15; \
        }                                                                                                              \
        type a = CALL(model_##name(x, n)), b = name(x, n);                                                             \
        check(same(a, b) && errno == __clew_errno, #name "(%La, %d): %La, not %La; errno %d, not %d", (long double)x,  \
              n, (long double)a, (long double)b, __clew_errno, errno);                                                 \
    }
#define ROUNDED(name, type)                                                                                            \
    for (int i = 0; i < 2000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        long long a = model_##name(x), b = name(x);                                                                    \
        long double most = sizeof(name(x)) == 4 ? 2147483648.0L : 9223372036854775808.0L;                              \
        if (roundl(x) < most && roundl(x) >= -most && rintl(x) < most && rintl(x) >= -most) {                          \
            check(a == b, #name "(%La): %lld, not %lld", (long double)x, a, b);                                        \
        }                                                                                                              \
    }
#define FMA(name, type)                                                                                                \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        DRAW(type, y);                                                                                                 \
        DRAW(type, z);                                                                                                 \
        check(same(model_##name(x, y, z), name(x, y, z)), #name "(%La, %La, %La)", (long double)x, (long double)y,     \
              (long double)z);                                                                                         \
    }
#define MODF(name, type)                                                                                               \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        type whole, model_whole;                                                                                       \
        check(same(model_##name(x, &model_whole), name(x, &whole)) && same(whole, model_whole), #name "(%La)",         \
              (long double)x);                                                                                         \
    }
#define FREXP(name, type)                                                                                              \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        int n, model_n;                                                                                                \
        check(same(model_##name(x, &model_n), name(x, &n)) && (n == model_n || !isfinite(x)), #name "(%La)",           \
              (long double)x);                                                                                         \
    }
#define REMQUO(name, type)                                                                                             \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        DRAW(type, y);                                                                                                 \
        int n = 0, model_n = 0;                                                                                        \
        type a = model_##name(x, y, &model_n), b = name(x, y, &n);                                                     \
        check(same(a, b) && (n % 8 == model_n % 8 || a != a), #name "(%La, %La): %La %d, not %La %d", (long double)x,          \
              (long double)y, (long double)a, model_n, (long double)b, n);                                             \
    }

void test_math(void) {
    FOR_EACH_EXACT1(EXACT1)
    FOR_EACH_EXACT2(EXACT2)
    FOR_EACH_ZERO2(ZERO2)
    FOR_EACH_WHOLE(WHOLE)
    FOR_EACH_TRUTH(TRUTH)
    FOR_EACH_POWER(POWER)
    FOR_EACH_ROUNDED(ROUNDED)
    FOR_EACH_TYPE(FMA, fma)
    FOR_EACH_TYPE(MODF, modf)
    FOR_EACH_TYPE(FREXP, frexp)
    FOR_EACH_TYPE(REMQUO, remquo)
}

/* The C library's result is chosen as the unknown; then the model must be able to give it, with the same errno. */
#define ADMITS(name, type, arguments, ...)                                                                             \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        type expected = name arguments;                                                                                \
        int expected_errno = errno;                                                                                    \
        long double chosen = expected;                                                                                 \
        bool admitted = false;                                                                                         \
        chosen_real = &chosen;                                                                                         \
        for (int j = 0; j < 60 && !admitted; j++) {                                                                    \
            __clew_errno = 0;                                                                                          \
            assumption_failed = false;                                                                                 \
            admitted = same(model_##name arguments, expected) && !assumption_failed && __clew_errno == expected_errno; \
        }                                                                                                              \
        chosen_real = NULL;                                                                                            \
        check(admitted, #name " does not admit %La with errno %d for %La, %La", (long double)expected, expected_errno, \
              __VA_ARGS__);                                                                                            \
    } while (0)
#define LOOSE1(name, type)                                                                                             \
    for (int i = 0; i < 1500; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        ADMITS(name, type, (x), (long double)x, 0.0L);                                                                 \
    }
#define LOOSE2(name, type)                                                                                             \
    for (int i = 0; i < 3000; i++) {                                                                                   \
        DRAW(type, x);                                                                                                 \
        DRAW(type, y);                                                                                                 \
        ADMITS(name, type, (x, y), (long double)x, (long double)y);                                                    \
    }

void test_loose(void) {
    FOR_EACH_LOOSE1(LOOSE1)
    FOR_EACH_LOOSE2(LOOSE2)
    assumption_failed = false;
}
