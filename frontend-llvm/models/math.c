/* math.h: math_template.h (exact) and math_loose.h (exact for known arguments, else bounds) for double, float and long double. Rounding to
 * whole numbers follows the rounding mode; all else is modelled in the mode to nearest. */
#include "math_bits.h"

/* The library's results: the front end implements these. */
#define MATH(function)                                                                                                 \
    MODEL_NOTHROW double __clew_math_##function##_double(double x);                                                    \
    MODEL_NOTHROW float __clew_math_##function##_float(float x);
#define MATH2(function)                                                                                                \
    MODEL_NOTHROW double __clew_math_##function##_double(double x, double y);                                          \
    MODEL_NOTHROW float __clew_math_##function##_float(float x, float y);
MATH(sin) MATH(cos) MATH(tan) MATH(asin) MATH(acos) MATH(atan) MATH(sinh) MATH(cosh) MATH(tanh)
MATH(exp) MATH(exp2) MATH(expm1) MATH(log) MATH(log2) MATH(log10) MATH(log1p) MATH(cbrt)
MATH2(pow) MATH2(atan2) MATH2(hypot)

/* The sign of the last gamma function, for lgamma. */
int signgam;

#define REAL double
#define NAME(function) function
#define FINITE_NAME(function) __##function##_finite
#define HELPER_SUFFIX double
#define ANY_REAL __clew_any_double
#define EXACT(function, x) __clew_math_##function##_double(x)
#define EXACT2(function, x, y) __clew_math_##function##_double(x, y)
#define REAL_MAX DBL_MAX
#define REAL_MIN DBL_MIN
#define REAL_TRUE_MIN DBL_TRUE_MIN
#define REAL_MAX_EXP DBL_MAX_EXP
#define REAL_MIN_EXP DBL_MIN_EXP
#define REAL_MANT_DIG DBL_MANT_DIG
#define UNPACK parts_of_double
#define PACK double_of_parts
#define FIRST_FRACTION(exponent) ((void)(exponent), (uint64_t)0)
#define LAST_FRACTION(exponent) ((void)(exponent), (uint64_t)0xfffffffffffff)
#include "math_template.h"

#define REAL float
#define NAME(function) function##f
#define FINITE_NAME(function) __##function##f_finite
#define HELPER_SUFFIX float
#define ANY_REAL __clew_any_float
#define EXACT(function, x) __clew_math_##function##_float(x)
#define EXACT2(function, x, y) __clew_math_##function##_float(x, y)
#define REAL_MAX FLT_MAX
#define REAL_MIN FLT_MIN
#define REAL_TRUE_MIN FLT_TRUE_MIN
#define REAL_MAX_EXP FLT_MAX_EXP
#define REAL_MIN_EXP FLT_MIN_EXP
#define REAL_MANT_DIG FLT_MANT_DIG
#define UNPACK parts_of_float
#define PACK float_of_parts
#define FIRST_FRACTION(exponent) ((void)(exponent), (uint64_t)0)
#define LAST_FRACTION(exponent) ((void)(exponent), (uint64_t)0x7fffff)
#include "math_template.h"

#define REAL long double
#define NAME(function) function##l
#define FINITE_NAME(function) __##function##l_finite
#define HELPER_SUFFIX extended
#define ANY_REAL __clew_any_longdouble
#define EXACT(function, x) (__clew_nearest_only(), ANY_REAL())
#define EXACT2(function, x, y) (__clew_nearest_only(), ANY_REAL())
#define REAL_MAX LDBL_MAX
#define REAL_MIN LDBL_MIN
#define REAL_TRUE_MIN LDBL_TRUE_MIN
#define REAL_MAX_EXP LDBL_MAX_EXP
#define REAL_MIN_EXP LDBL_MIN_EXP
#define REAL_MANT_DIG LDBL_MANT_DIG
#define UNPACK parts_of_extended
#define PACK extended_of_parts
/* The leading bit of a fraction is stored, and 0 only in subnormal numbers. */
#define FIRST_FRACTION(exponent) ((exponent) == 0 ? (uint64_t)0 : (uint64_t)1 << 63)
#define LAST_FRACTION(exponent) ((exponent) == 0 ? UINT64_MAX >> 1 : UINT64_MAX)
#include "math_template.h"
