/* math.h for one type; see math_bits.h and math.c. Everything here is exact. */

#define INFINITE ((REAL)__builtin_inf())
#define BIAS (REAL_MAX_EXP - 1)
#define MAGNITUDE(x) __builtin_elementwise_abs(x)
#define WITH_SIGN_OF(x, y) __builtin_elementwise_copysign((REAL)(x), (REAL)(y))
#define IS_NAN(x) ((x) != (x))
#define IS_INFINITE(x) (MAGNITUDE(x) == INFINITE)
#define IS_FINITE(x) (MAGNITUDE(x) < INFINITE)
/* Static helpers get the type into their names, as the functions do. */
#define OWN_(name, real) name##_##real
#define OWN(name) OWN2_(name, HELPER_SUFFIX)
#define OWN2_(name, suffix) OWN_(name, suffix)

/* A domain error: the result is NaN. */
static inline MODEL_INLINE REAL OWN(invalid)(void) {
    __clew_errno = MODEL_EDOM;
    return INFINITE - INFINITE;
}

#define ROUNDING(name, builtin)                                                                                        \
    MODEL_INLINE REAL NAME(name)(REAL x) {                                                                             \
        return builtin(x);                                                                                             \
    }
ROUNDING(fabs, __builtin_elementwise_abs)
ROUNDING(floor, __builtin_elementwise_floor)
ROUNDING(ceil, __builtin_elementwise_ceil)
ROUNDING(trunc, __builtin_elementwise_trunc)
ROUNDING(round, __builtin_elementwise_round)
ROUNDING(roundeven, __builtin_elementwise_roundeven)
ROUNDING(rint, OWN(__clew_rint))
ROUNDING(nearbyint, OWN(__clew_rint))
#undef ROUNDING

/* The bounds are powers of two, hence exact; beyond them the result is unspecified. */
#define TO_INTEGER(name, builtin, type, any, least)                                                                    \
    MODEL_INLINE type NAME(name)(REAL x) {                                                                             \
        REAL rounded = builtin(x);                                                                                     \
        return rounded >= (REAL)(least) && rounded < -(REAL)(least) ? (type)rounded : any();                           \
    }
TO_INTEGER(lrint, OWN(__clew_rint), long, __clew_any_long, LONG_MIN)
TO_INTEGER(llrint, OWN(__clew_rint), long long, __clew_any_longlong, LLONG_MIN)
TO_INTEGER(lround, __builtin_elementwise_round, long, __clew_any_long, LONG_MIN)
TO_INTEGER(llround, __builtin_elementwise_round, long long, __clew_any_longlong, LLONG_MIN)
#undef TO_INTEGER

MODEL_INLINE REAL NAME(copysign)(REAL x, REAL y) {
    return WITH_SIGN_OF(x, y);
}

MODEL_INLINE REAL NAME(sqrt)(REAL x) {
    if (x < 0) {
        __clew_errno = MODEL_EDOM;
    }
    return __builtin_elementwise_sqrt(x);
}

MODEL_INLINE REAL NAME(fma)(REAL x, REAL y, REAL z) {
    REAL result = __builtin_elementwise_fma(x, y, z);
    if (IS_FINITE(x) && IS_FINITE(y) && IS_FINITE(z) && !IS_FINITE(result) && __clew_any_bool()) {
        __clew_errno = MODEL_ERANGE;
    }
    return result;
}

MODEL_INLINE REAL NAME(fmin)(REAL x, REAL y) {
    return IS_NAN(y) || x < y ? x : y;
}

MODEL_INLINE REAL NAME(fmax)(REAL x, REAL y) {
    return IS_NAN(y) || x > y ? x : y;
}

MODEL_INLINE REAL NAME(fdim)(REAL x, REAL y) {
    if (x <= y) {
        return 0;
    }
    REAL result = x - y;
    if (IS_INFINITE(result) && IS_FINITE(x) && IS_FINITE(y)) {
        __clew_errno = MODEL_ERANGE;
    }
    return result;
}

MODEL_INLINE REAL NAME(modf)(REAL x, REAL *whole) {
    *whole = __builtin_elementwise_trunc(x);
    return WITH_SIGN_OF(IS_INFINITE(x) ? 0 : x - *whole, x);
}

/* x = result * 2 ** exponent with a result from 0.5 up to 1. */
static inline MODEL_INLINE REAL OWN(split)(REAL x, int *exponent) {
    *exponent = 0;
    if (x == 0 || !IS_FINITE(x)) {
        return x + x;
    }
    if (MAGNITUDE(x) < REAL_MIN) {
        x *= (REAL)18446744073709551616.0; /* 2 ** 64 makes a subnormal number normal. */
        *exponent = -64;
    }
    struct parts parts = UNPACK(x);
    *exponent += parts.exponent - (BIAS - 1);
    parts.exponent = BIAS - 1;
    return PACK(parts);
}

/* x * 2 ** power, rounded once. */
static inline MODEL_INLINE REAL OWN(scale)(REAL x, long power) {
    if (x == 0 || !IS_FINITE(x)) {
        return x + x;
    }
    int exponent;
    struct parts parts = UNPACK(OWN(split)(x, &exponent));
    power = power < -70000 ? -70000 : power > 70000 ? 70000 : power;
    exponent += (int)power;
    if (exponent > REAL_MAX_EXP) {
        return WITH_SIGN_OF(INFINITE, x);
    }
    if (exponent < REAL_MIN_EXP - REAL_MANT_DIG) {
        return WITH_SIGN_OF(0, x);
    }
    if (exponent >= REAL_MIN_EXP) {
        parts.exponent = exponent + BIAS - 1;
        return PACK(parts);
    }
    /* Subnormal: from the smallest normal exponent, one multiplication rounds to what is left of the digits. */
    parts.exponent = 1;
    struct parts factor = UNPACK((REAL)1);
    factor.exponent += exponent - REAL_MIN_EXP;
    return PACK(parts) * PACK(factor);
}

static inline MODEL_INLINE REAL OWN(scale_or_fail)(REAL x, long power) {
    REAL result = OWN(scale)(x, power);
    if ((IS_FINITE(x) && x != 0) && (result == 0 || IS_INFINITE(result))) {
        __clew_errno = MODEL_ERANGE;
    }
    return result;
}

MODEL_INLINE REAL NAME(frexp)(REAL x, int *exponent) {
    return OWN(split)(x, exponent);
}

MODEL_INLINE REAL NAME(ldexp)(REAL x, int power) {
    return OWN(scale_or_fail)(x, power);
}

MODEL_INLINE REAL NAME(scalbn)(REAL x, int power) {
    return OWN(scale_or_fail)(x, power);
}

MODEL_INLINE REAL NAME(scalbln)(REAL x, long power) {
    return OWN(scale_or_fail)(x, power);
}

MODEL_INLINE int NAME(ilogb)(REAL x) {
    if (x == 0 || !IS_FINITE(x)) {
        __clew_errno = MODEL_EDOM;
        return IS_INFINITE(x) ? INT_MAX : INT_MIN;
    }
    int exponent;
    OWN(split)(x, &exponent);
    return exponent - 1;
}

MODEL_INLINE REAL NAME(logb)(REAL x) {
    if (!IS_FINITE(x)) {
        return x * x;
    }
    if (x == 0) {
        return -INFINITE; /* glibc leaves errno alone. */
    }
    int exponent;
    OWN(split)(x, &exponent);
    return (REAL)(exponent - 1);
}

/* |x| modulo y, both finite and y positive, by subtracting ever smaller y * 2 ** k: all steps are exact. The quotient
 * comes without its highest bits. */
static REAL OWN(divide)(REAL x, REAL y, unsigned *quotient) {
    REAL rest = MAGNITUDE(x);
    REAL part = y;
    *quotient = 0;
    if (rest < y) {
        return rest;
    }
    while (part <= REAL_MAX / 2 && part * 2 <= rest) {
        part *= 2;
    }
    for (;;) {
        *quotient *= 2;
        if (rest >= part) {
            rest -= part;
            *quotient += 1;
        }
        if (part == y) {
            return rest;
        }
        part /= 2;
    }
}

REAL NAME(fmod)(REAL x, REAL y) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    if (y == 0 || IS_INFINITE(x)) {
        return OWN(invalid)();
    }
    if (IS_INFINITE(y)) {
        return x;
    }
    unsigned quotient;
    return WITH_SIGN_OF(OWN(divide)(x, MAGNITUDE(y), &quotient), x);
}

/* The rest of the division to the nearest (on a tie, the even) quotient, and the quotient's last three bits before it
 * was rounded, plus one if it was rounded up. */
static REAL OWN(nearest_rest)(REAL x, REAL y, unsigned *quotient) {
    y = MAGNITUDE(y);
    REAL rest = OWN(divide)(x, y, quotient);
    *quotient %= 8;
    if (rest > y - rest || (rest == y - rest && *quotient % 2 == 1)) {
        rest -= y;
        *quotient += 1;
    }
    return x < 0 || (rest == 0 && __builtin_signbit(x)) ? -rest : rest;
}

static REAL OWN(remainder_of)(REAL x, REAL y) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    if (y == 0 || IS_INFINITE(x)) {
        return OWN(invalid)();
    }
    if (IS_INFINITE(y)) {
        return x;
    }
    unsigned quotient;
    return OWN(nearest_rest)(x, y, &quotient);
}

REAL NAME(remainder)(REAL x, REAL y) {
    return OWN(remainder_of)(x, y);
}

REAL NAME(drem)(REAL x, REAL y) {
    return OWN(remainder_of)(x, y);
}

/* Gives three bits of the quotient, with its sign. When they round up to 8, glibc says 8 or 0, as the machine does. */
REAL NAME(remquo)(REAL x, REAL y, int *result) {
    if (IS_NAN(x) || IS_NAN(y) || y == 0 || IS_INFINITE(x)) {
        *result = __clew_any_int();
        return INFINITE - INFINITE;
    }
    if (IS_INFINITE(y)) {
        *result = 0;
        return x;
    }
    unsigned quotient;
    REAL rest = OWN(nearest_rest)(x, y, &quotient);
    if (quotient == 8 && __clew_any_bool()) {
        quotient = 0;
    }
    *result = (x < 0) != (y < 0) ? -(int)quotient : (int)quotient;
    return rest;
}

/* The next number in magnitude, up or down; x is neither NaN nor an infinity that goes up. */
static inline MODEL_INLINE REAL OWN(step)(REAL x, bool up) {
    struct parts parts = UNPACK(x);
    uint64_t first = FIRST_FRACTION(parts.exponent);
    if (up) {
        if (parts.fraction == LAST_FRACTION(parts.exponent)) {
            parts.exponent++;
            parts.fraction = FIRST_FRACTION(parts.exponent);
        } else {
            parts.fraction++;
        }
    } else if (parts.fraction == first) {
        parts.exponent--;
        parts.fraction = LAST_FRACTION(parts.exponent);
    } else {
        parts.fraction--;
    }
    return PACK(parts);
}

/* `order` is the sign of target - x. */
static inline MODEL_INLINE REAL OWN(next)(REAL x, int order, bool toward_negative) {
    if (x == 0) {
        return toward_negative ? -REAL_TRUE_MIN : REAL_TRUE_MIN; /* glibc leaves errno alone. */
    }
    REAL result = OWN(step)(x, (order > 0) == (x > 0));
    if (IS_INFINITE(result) || MAGNITUDE(result) < REAL_MIN) {
        __clew_errno = MODEL_ERANGE;
    }
    return result;
}

MODEL_INLINE REAL NAME(nextafter)(REAL x, REAL y) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    return x == y ? y : OWN(next)(x, x < y ? 1 : -1, y < 0);
}

MODEL_INLINE REAL NAME(nexttoward)(REAL x, long double y) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return (REAL)(x + y);
    }
    return x == y ? (REAL)y : OWN(next)(x, x < y ? 1 : -1, y < 0);
}

#define CLASSIFICATION(name, result)                                                                                   \
    MODEL_INLINE int NAME(name)(REAL x) {                                                                              \
        return result;                                                                                                 \
    }
CLASSIFICATION(isnan, IS_NAN(x))
CLASSIFICATION(__isnan, IS_NAN(x))
CLASSIFICATION(isinf, IS_INFINITE(x) ? (x < 0 ? -1 : 1) : 0)
CLASSIFICATION(__isinf, IS_INFINITE(x) ? (x < 0 ? -1 : 1) : 0)
CLASSIFICATION(finite, IS_FINITE(x))
CLASSIFICATION(__finite, IS_FINITE(x))
CLASSIFICATION(isfinite, IS_FINITE(x))
CLASSIFICATION(__signbit, __builtin_signbit(x) != 0)
/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL count from 0. */
CLASSIFICATION(__fpclassify, IS_NAN(x) ? 0 : IS_INFINITE(x) ? 1 : x == 0 ? 2 : MAGNITUDE(x) < REAL_MIN ? 3 : 4)
CLASSIFICATION(__issignaling, __clew_any_bool() && IS_NAN(x))
#undef CLASSIFICATION

#include "math_loose.h"

#undef REAL
#undef NAME
#undef HELPER_SUFFIX
#undef ANY_REAL
#undef REAL_MAX
#undef REAL_MIN
#undef REAL_TRUE_MIN
#undef REAL_MAX_EXP
#undef REAL_MIN_EXP
#undef REAL_MANT_DIG
#undef UNPACK
#undef PACK
#undef FIRST_FRACTION
#undef LAST_FRACTION
#undef INFINITE
#undef BIAS
#undef MAGNITUDE
#undef WITH_SIGN_OF
#undef IS_NAN
#undef IS_INFINITE
#undef IS_FINITE
#undef OWN
#undef OWN_
#undef OWN2_
