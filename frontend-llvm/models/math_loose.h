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

/* Half and a quarter of a turn, rounded up and down. */
#define HALF_TURN ((REAL)3.1416)
#define LESS_THAN_HALF ((REAL)3.1415)
#define QUARTER_TURN ((REAL)1.5708)
#define LESS_THAN_QUARTER ((REAL)1.5707)
/* Above the logarithm to base two of all finite numbers, and of the inverse of the smallest one. */
#define MOST_BITS ((REAL)(REAL_MAX_EXP + REAL_MANT_DIG))

/* States more about a result. */
static inline MODEL_INLINE REAL OWN(with_fact)(REAL result, bool fact) {
    __clew_fact(fact);
    return result;
}

/* The sine of a finite number but 0. */
static inline MODEL_INLINE REAL OWN(sine)(REAL x) {
    REAL result = OWN(between)(EXACT(sin, x), -1, 1);
    __clew_fact(MAGNITUDE(result) <= MAGNITUDE(x));
    return OWN(with_fact)(result, MAGNITUDE(x) > LESS_THAN_HALF || (x < 0 ? result < 0 : result > 0));
}

static inline MODEL_INLINE REAL OWN(cosine)(REAL x) {
    REAL result = OWN(between)(EXACT(cos, x), -1, 1);
    return OWN(with_fact)(result, MAGNITUDE(x) > LESS_THAN_QUARTER || result > 0);
}

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

LOOSE(sin, if (x == 0) return x; if (IS_INFINITE(x)) return OWN(invalid)(); return OWN(sine)(x);)
LOOSE(cos, if (x == 0) return 1; if (IS_INFINITE(x)) return OWN(invalid)(); return OWN(cosine)(x);)
LOOSE(tan, if (x == 0) return x; if (IS_INFINITE(x)) return OWN(invalid)();
      REAL result = OWN(in_range)(EXACT(tan, x), -INFINITE, INFINITE);
      return OWN(with_fact)(result, MAGNITUDE(x) > LESS_THAN_QUARTER || (x < 0 ? result < 0 : result > 0));)
LOOSE_FINITE(asin, if (x == 0) return x; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             return x < 0 ? OWN(between)(EXACT(asin, x), -QUARTER_TURN, 0) : OWN(between)(EXACT(asin, x), 0, QUARTER_TURN);)
LOOSE_FINITE(acos, if (x == 1) return 0; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             return x < 0 ? OWN(between)(EXACT(acos, x), LESS_THAN_QUARTER, HALF_TURN)
                          : OWN(between)(EXACT(acos, x), 0, QUARTER_TURN);)
LOOSE(atan, if (x == 0) return x;
      REAL result = x < 0 ? OWN(in_range)(EXACT(atan, x), -QUARTER_TURN, 0) : OWN(in_range)(EXACT(atan, x), 0, QUARTER_TURN);
      return OWN(with_fact)(result, MAGNITUDE(result) <= MAGNITUDE(x));)
LOOSE_FINITE(sinh, if (x == 0 || IS_INFINITE(x)) return x;
             return x < 0 ? OWN(in_range)(EXACT(sinh, x), -INFINITE, 0) : OWN(in_range)(EXACT(sinh, x), 0, INFINITE);)
LOOSE_FINITE(cosh, if (x == 0) return 1; if (IS_INFINITE(x)) return INFINITE;
             return OWN(in_range)(EXACT(cosh, x), 1, INFINITE);)
LOOSE(tanh, if (x == 0) return x; if (IS_INFINITE(x)) return WITH_SIGN_OF(1, x);
      return x < 0 ? OWN(in_range)(EXACT(tanh, x), -1, 0) : OWN(in_range)(EXACT(tanh, x), 0, 1);)
LOOSE(asinh, if (x == 0 || IS_INFINITE(x)) return x;
      return x < 0 ? OWN(in_range)(ANY_REAL(), -MOST_BITS, 0) : OWN(in_range)(ANY_REAL(), 0, MOST_BITS);)
LOOSE_FINITE(acosh, if (x < 1) return OWN(invalid)(); if (x == 1) return 0; if (IS_INFINITE(x)) return x;
             return OWN(between)(ANY_REAL(), 0, MOST_BITS);)
LOOSE_FINITE(atanh, if (x == 0) return x; if (MAGNITUDE(x) > 1) return OWN(invalid)();
             if (MAGNITUDE(x) == 1) return OWN(pole)(WITH_SIGN_OF(INFINITE, x));
             return x < 0 ? OWN(in_range)(ANY_REAL(), -MOST_BITS, 0) : OWN(in_range)(ANY_REAL(), 0, MOST_BITS);)

#define EXPONENTIAL(value)                                                                                                    \
    if (x == 0) return 1;                                                                                              \
    if (IS_INFINITE(x)) return x < 0 ? 0 : INFINITE;                                                                   \
    REAL result = x < 0 ? OWN(in_range)(value, 0, 1) : OWN(in_range)(value, 1, INFINITE);                              \
    return OWN(with_fact)(result, result > x || IS_INFINITE(result));
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
    REAL result = x < 1 ? OWN(between)(value, -MOST_BITS, 0) : OWN(between)(value, 0, MOST_BITS);                      \
    return OWN(with_fact)(result, result < x);
LOOSE_FINITE(log, LOGARITHM(EXACT(log, x)))
LOOSE_FINITE(log2, LOGARITHM(EXACT(log2, x)))
LOOSE_FINITE(log10, LOGARITHM(EXACT(log10, x)))
#undef LOGARITHM
LOOSE(log1p, if (x == 0) return x; if (x < -1) return OWN(invalid)(); if (x == -1) return OWN(pole)(-INFINITE);
      if (IS_INFINITE(x)) return x;
      return x < 0 ? OWN(in_range)(EXACT(log1p, x), -MOST_BITS, 0) : OWN(in_range)(EXACT(log1p, x), 0, MOST_BITS);)

LOOSE(cbrt, if (x == 0 || IS_INFINITE(x)) return x;
      REAL result = EXACT(cbrt, x);
      __clew_fact(x < 0 ? result < 0 : result > 0);
      /* The root is nearer to 1, give or take some digits. */
      REAL least = (MAGNITUDE(x) < 1 ? MAGNITUDE(x) : 1) / 2; REAL most = (MAGNITUDE(x) < 1 ? 1 : MAGNITUDE(x)) + (REAL)0.5;
      return OWN(with_fact)(result, least <= MAGNITUDE(result) && MAGNITUDE(result) <= most);)
LOOSE(erf, if (x == 0) return x; if (IS_INFINITE(x)) return WITH_SIGN_OF(1, x);
      return x < 0 ? OWN(in_range)(ANY_REAL(), -1, 0) : OWN(in_range)(ANY_REAL(), 0, 1);)
LOOSE(erfc, return x < 0 ? OWN(in_range)(ANY_REAL(), 1, 2) : OWN(in_range)(ANY_REAL(), 0, 1);)

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
    REAL result = OWN(in_range)(EXACT2(pow, x, y), __builtin_signbit(x) ? -INFINITE : 0, INFINITE);
    __clew_fact(y != 1 || result == x);
    /* Above 1 where the magnitude of the base is above 1 and the exponent positive, or neither. Of infinite bases nothing
     * is said: glibc's powl(-INFINITY, -0x1p63) is infinite, which it should not be. */
    bool grows = (MAGNITUDE(x) > 1) == (y > 0);
    __clew_fact(IS_INFINITE(x) || (MAGNITUDE(x) == 1 ? MAGNITUDE(result) == 1
                                   : grows           ? MAGNITUDE(result) >= 1
                                                     : MAGNITUDE(result) <= 1));
    /* Whole numbers above this limit are even. */
    REAL limit = (REAL)((uint64_t)1 << (REAL_MANT_DIG - 1)) * 2;
    bool odd = whole && MAGNITUDE(y) < limit && __builtin_elementwise_trunc(y / 2) != y / 2;
    return OWN(with_fact)(result, odd || IS_INFINITE(x) || result >= 0);
}

static inline MODEL_INLINE REAL OWN(angle)(REAL y, REAL x) {
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    REAL result = EXACT2(atan2, y, x);
    result = __builtin_signbit(y) ? OWN(in_range)(result, -HALF_TURN, 0) : OWN(in_range)(result, 0, HALF_TURN);
    __clew_fact(x < 0 || y == 0 || MAGNITUDE(result) <= QUARTER_TURN);
    return OWN(with_fact)(result, x > 0 || y == 0 || MAGNITUDE(result) >= LESS_THAN_QUARTER);
}

static inline MODEL_INLINE REAL OWN(distance)(REAL x, REAL y) {
    if (IS_INFINITE(x) || IS_INFINITE(y)) {
        return INFINITE;
    }
    if (IS_NAN(x) || IS_NAN(y)) {
        return x + y;
    }
    REAL most = MAGNITUDE(x) < MAGNITUDE(y) ? MAGNITUDE(y) : MAGNITUDE(x);
    return OWN(in_range)(EXACT2(hypot, x, y), most, most + most);
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

LOOSE(tgamma, REAL result = OWN(any_result)(x); return OWN(with_fact)(result, !(x > 0) || result > (REAL)0.8);)
LOOSE(j0, REAL result = OWN(any_result)(x); return OWN(with_fact)(result, MAGNITUDE(result) <= 1);)
LOOSE(j1, REAL result = OWN(any_result)(x); return OWN(with_fact)(result, MAGNITUDE(result) <= 1);)
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
        *sine = x == 0 ? x : OWN(sine)(x);
        *cosine = x == 0 ? 1 : OWN(cosine)(x);
    }
}

#undef LOOSE
#undef LOOSE2
#undef LOOSE_AS
#undef LOOSE_FINITE
#undef HALF_TURN
#undef LESS_THAN_HALF
#undef QUARTER_TURN
#undef LESS_THAN_QUARTER
#undef MOST_BITS
#undef FINITE_NAME
#undef EXACT
#undef EXACT2
