/* Products of complex numbers: what clang calls when the plain formula gave two NaN (annex G of the standard).
 * Quotients are left out: libraries differ in how they round them, so any value is right. */
#include "model.h"

#define PRODUCT(name, type, copysign, isinf, isnan, infinity)                                                          \
    static inline MODEL_INLINE type name##_box(type x) {                                                               \
        return copysign(isinf(x) ? (type)1 : (type)0, x);                                                              \
    }                                                                                                                  \
    static inline MODEL_INLINE type name##_zero_nan(type x) {                                                          \
        return isnan(x) ? copysign((type)0, x) : x;                                                                    \
    }                                                                                                                  \
    type _Complex name(type a, type b, type c, type d) {                                                               \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                           \
        type x = ac - bd, y = ad + bc;                                                                                 \
        if (isnan(x) && isnan(y)) {                                                                                    \
            bool again = false;                                                                                        \
            if (isinf(a) || isinf(b)) {                                                                                \
                a = name##_box(a), b = name##_box(b);                                                                  \
                c = name##_zero_nan(c), d = name##_zero_nan(d);                                                        \
                again = true;                                                                                          \
            }                                                                                                          \
            if (isinf(c) || isinf(d)) {                                                                                \
                c = name##_box(c), d = name##_box(d);                                                                  \
                a = name##_zero_nan(a), b = name##_zero_nan(b);                                                        \
                again = true;                                                                                          \
            }                                                                                                          \
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                        \
                a = name##_zero_nan(a), b = name##_zero_nan(b);                                                        \
                c = name##_zero_nan(c), d = name##_zero_nan(d);                                                        \
                again = true;                                                                                          \
            }                                                                                                          \
            if (again) {                                                                                               \
                x = infinity * (a * c - b * d);                                                                        \
                y = infinity * (a * d + b * c);                                                                        \
            }                                                                                                          \
        }                                                                                                              \
        type _Complex product;                                                                                         \
        __real__ product = x;                                                                                          \
        __imag__ product = y;                                                                                          \
        return product;                                                                                                \
    }

PRODUCT(__mulsc3, float, __builtin_copysignf, __builtin_isinf, __builtin_isnan, __builtin_inff())
PRODUCT(__muldc3, double, __builtin_copysign, __builtin_isinf, __builtin_isnan, __builtin_inf())
PRODUCT(__mulxc3, long double, __builtin_copysignl, __builtin_isinf, __builtin_isnan, __builtin_infl())
