/* math.h for one type: the functions whose last digits differ between libraries. For known arguments, the library of this
 * machine gives the result, but for long double. Otherwise only what holds in all libraries is known: the exact cases of
 * the standard, signs and generous bounds. */

/* States that a result is surely a number from `least` to `most`. */
static inline MODEL_INLINE REAL OWN(between)(REAL result, REAL least, REAL most) {
    __clew_fact(least <= result && result <= most);
    return result;
}

/* The same, where the result may overflow or vanish: then errno may say so. */
static inline MODEL_INLINE REAL OWN(in_range)(REAL result, REAL least, REAL most) {
    OWN(between)(result, least, most);
    if ((IS_INFINITE(result) || MAGNITUDE(result) <= REAL_MIN) && __clew_any_bool()) {
        __clew_errno = MODEL_ERANGE;
    }
    return result;
}

static inline MODEL_INLINE REAL OWN(pole)(REAL result) {
    __clew_errno = MODEL_ERANGE;
    return result;
}

#define HALF_TURN ((REAL)3.1416)
#define QUARTER_TURN ((REAL)1.5708)

/* LOOSE defines a function of one argument, also under the name that old glibc headers use with -ffast-math; NaN gives
 * NaN. */
#define LOOSE_AS(name, body)                                                                                           \
    REAL name(REAL x) {                                                                                                \
        if (IS_NAN(x)) {                                                                                               \
            return x;                                                                                                  \
        }                                                                                                              \
        body                                                                                                           \
    }
#define LOOSE(name, body) LOOSE_AS(NAME(name), body)
#define LOOSE_FINITE(name, body)                                                                                       \
    LOOSE_AS(NAME(name), body)                                                                                         \
    LOOSE_AS(FINITE_NAME(name), body)

LOOSE(sin, if (x == 0) return x; if (IS_INFINITE(x)) return OWN(invalid)(); return OWN(between)(EXACT(sin, x), -1, 1);)
LOOSE(cos, if (x == 0) return 1; if (IS_INFINITE(x)) return OWN(invalid)(); return OWN(between)(EXACT(cos, x), -1, 1);)
LOOSE(tan, if (x == 0) return x; if (IS_INFINITE(x)) return OWN(invalid)();
      return OWN(in_range)(EXACT(tan, x), -INFINITE, INFINITE);)
LOOSE_FINITE(asin, if (x == 0) return x; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             return x < 0 ? OWN(between)(EXACT(asin, x), -QUARTER_TURN, 0) : OWN(between)(EXACT(asin, x), 0, QUARTER_TURN);)
LOOSE_FINITE(acos, if (x == 1) return 0; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             return OWN(between)(EXACT(acos, x), 0, HALF_TURN);)
LOOSE(atan, if (x == 0) return x;
      return x < 0 ? OWN(in_range)(EXACT(atan, x), -QUARTER_TURN, 0) : OWN(in_range)(EXACT(atan, x), 0, QUARTER_TURN);)
LOOSE_FINITE(sinh, if (x == 0 || IS_INFINITE(x)) return x;
             return x < 0 ? OWN(in_range)(EXACT(sinh, x), -INFINITE, 0) : OWN(in_range)(EXACT(sinh, x), 0, INFINITE);)
LOOSE_FINITE(cosh, if (x == 0) return 1; if (IS_INFINITE(x)) return INFINITE;
             return OWN(in_range)(EXACT(cosh, x), 1, INFINITE);)
LOOSE(tanh, if (x == 0) return x; if (IS_INFINITE(x)) return WITH_SIGN_OF(1, x);
      return x < 0 ? OWN(in_range)(EXACT(tanh, x), -1, 0) : OWN(in_range)(EXACT(tanh, x), 0, 1);)
LOOSE(asinh, if (x == 0 || IS_INFINITE(x)) return x;
      return x < 0 ? OWN(in_range)(ANY_REAL(), -REAL_MAX, 0) : OWN(in_range)(ANY_REAL(), 0, REAL_MAX);)
LOOSE_FINITE(acosh, if (x < 1) return OWN(invalid)(); if (x == 1) return 0; if (IS_INFINITE(x)) return x;
             return OWN(between)(ANY_REAL(), 0, REAL_MAX);)
LOOSE_FINITE(atanh, if (x == 0) return x; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             if (MAGNITUDE(x) == 1) return OWN(pole)(WITH_SIGN_OF(INFINITE, x));
             return x < 0 ? OWN(in_range)(ANY_REAL(), -REAL_MAX, 0) : OWN(in_range)(ANY_REAL(), 0, REAL_MAX);)

#define EXPONENTIAL(value)                                                                                                    \
    if (x == 0) return 1;                                                                                              \
    if (IS_INFINITE(x)) return x < 0 ? 0 : INFINITE;                                                                   \
    return x < 0 ? OWN(in_range)(value, 0, 1) : OWN(in_range)(value, 1, INFINITE);
LOOSE_FINITE(exp, EXPONENTIAL(EXACT(exp, x)))
LOOSE_FINITE(exp2, EXPONENTIAL(EXACT(exp2, x)))
LOOSE_FINITE(exp10, EXPONENTIAL(ANY_REAL()))
#undef EXPONENTIAL
LOOSE(expm1, if (x == 0) return x; if (IS_INFINITE(x)) return x < 0 ? -1 : INFINITE;
      return x < 0 ? OWN(in_range)(EXACT(expm1, x), -1, 0) : OWN(in_range)(EXACT(expm1, x), 0, INFINITE);)

#define LOGARITHM(value)                                                                                                      \
    if (x < 0) return OWN(invalid)();                                                                                  \
    if (x == 0) return OWN(pole)(-INFINITE);                                                                           \
    if (x == 1) return 0;                                                                                              \
    if (IS_INFINITE(x)) return x;                                                                                      \
    return x < 1 ? OWN(between)(value, -REAL_MAX, 0) : OWN(between)(value, 0, REAL_MAX);
LOOSE_FINITE(log, LOGARITHM(EXACT(log, x)))
LOOSE_FINITE(log2, LOGARITHM(EXACT(log2, x)))
LOOSE_FINITE(log10, LOGARITHM(EXACT(log10, x)))
#undef LOGARITHM
LOOSE(log1p, if (x == 0) return x; if (x < -1) return OWN(invalid)(); if (x == -1) return OWN(pole)(-INFINITE);
      if (IS_INFINITE(x)) return x;
      return x < 0 ? OWN(in_range)(EXACT(log1p, x), -REAL_MAX, 0) : OWN(in_range)(EXACT(log1p, x), 0, REAL_MAX);)

LOOSE(cbrt, if (x == 0 || IS_INFINITE(x)) return x;
      return x < 0 ? OWN(between)(EXACT(cbrt, x), -REAL_MAX, 0) : OWN(between)(EXACT(cbrt, x), 0, REAL_MAX);)
LOOSE(erf, if (x == 0) return x; if (IS_INFINITE(x)) return WITH_SIGN_OF(1, x);
      return x < 0 ? OWN(in_range)(ANY_REAL(), -1, 0) : OWN(in_range)(ANY_REAL(), 0, 1);)
LOOSE(erfc, return OWN(in_range)(ANY_REAL(), 0, 2);)

static inline MODEL_INLINE REAL OWN(power)(REAL x, REAL y) {
    if (y == 0 || x == 1) {
        return 1;
    }
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    bool whole = IS_INFINITE(y) || __builtin_elementwise_trunc(y) == y;
    if (x < 0 && IS_FINITE(x) && !whole) {
        return OWN(invalid)();
    }
    return OWN(in_range)(EXACT2(pow, x, y), __builtin_signbit(x) ? -INFINITE : 0, INFINITE);
}

static inline MODEL_INLINE REAL OWN(angle)(REAL y, REAL x) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    REAL result = EXACT2(atan2, y, x);
    return __builtin_signbit(y) ? OWN(in_range)(result, -HALF_TURN, 0) : OWN(in_range)(result, 0, HALF_TURN);
}

static inline MODEL_INLINE REAL OWN(distance)(REAL x, REAL y) {
    if (IS_INFINITE(x) || IS_INFINITE(y)) {
        return INFINITE;
    }
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    return OWN(in_range)(EXACT2(hypot, x, y), 0, INFINITE);
}

#define LOOSE2(name, model)                                                                                            \
    REAL NAME(name)(REAL x, REAL y) {                                                                                  \
        return OWN(model)(x, y);                                                                                       \
    }                                                                                                                  \
    REAL FINITE_NAME(name)(REAL x, REAL y) {                                                                           \
        return OWN(model)(x, y);                                                                                       \
    }
LOOSE2(pow, power)
LOOSE2(atan2, angle)
LOOSE2(hypot, distance)

/* Here any result and any error are possible. */
static inline MODEL_INLINE REAL OWN(any_result)(REAL x) {
    if (IS_NAN(x)) {
        return x;
    }
    if (__clew_any_bool()) {
        __clew_errno = __clew_any_bool() ? MODEL_EDOM : MODEL_ERANGE;
    }
    return ANY_REAL();
}

LOOSE(tgamma, return OWN(any_result)(x);)
LOOSE(j0, return OWN(any_result)(x);)
LOOSE(j1, return OWN(any_result)(x);)
LOOSE(y0, return OWN(any_result)(x);)
LOOSE(y1, return OWN(any_result)(x);)

REAL NAME(lgamma)(REAL x) {
    signgam = __clew_any_bool() ? 1 : -1;
    return OWN(any_result)(x);
}

void NAME(sincos)(REAL x, REAL *sine, REAL *cosine) {
    if (IS_NAN(x)) {
        *sine = *cosine = x;
    } else if (IS_INFINITE(x)) {
        *sine = *cosine = OWN(invalid)();
    } else {
        *sine = x == 0 ? x : OWN(between)(EXACT(sin, x), -1, 1);
        *cosine = x == 0 ? 1 : OWN(between)(EXACT(cos, x), -1, 1);
    }
}

#undef LOOSE
#undef LOOSE2
#undef LOOSE_AS
#undef LOOSE_FINITE
#undef HALF_TURN
#undef QUARTER_TURN
#undef FINITE_NAME
#undef EXACT
#undef EXACT2
