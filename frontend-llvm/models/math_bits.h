/* The parts of floating-point numbers, for one type after the other: REAL, NAME(function), the limits of float.h under
 * REAL_, and pack/unpack. math.c includes the template for each. */
#ifndef CLEW_MATH_BITS_H
#define CLEW_MATH_BITS_H
#include "model.h"

struct parts {
    bool negative;
    int exponent;      /* As stored: 0 for zero and subnormals, all ones for infinities and NaN. */
    uint64_t fraction; /* As stored: with the leading 1 only in long double. */
};

static inline MODEL_INLINE struct parts parts_of_float(float x) {
    union { float real; uint32_t bits; } u = {x};
    return (struct parts){u.bits >> 31, (int)(u.bits >> 23 & 0xff), u.bits & 0x7fffff};
}

static inline MODEL_INLINE float float_of_parts(struct parts parts) {
    union { uint32_t bits; float real; } u = {(uint32_t)parts.negative << 31 | (uint32_t)parts.exponent << 23 |
                                              (uint32_t)parts.fraction};
    return u.real;
}

static inline MODEL_INLINE struct parts parts_of_double(double x) {
    union { double real; uint64_t bits; } u = {x};
    return (struct parts){u.bits >> 63, (int)(u.bits >> 52 & 0x7ff), u.bits & 0xfffffffffffff};
}

static inline MODEL_INLINE double double_of_parts(struct parts parts) {
    union { uint64_t bits; double real; } u = {(uint64_t)parts.negative << 63 | (uint64_t)parts.exponent << 52 |
                                               parts.fraction};
    return u.real;
}

union extended {
    long double real;
    struct { uint64_t fraction; uint16_t sign_and_exponent; } bits;
};

static inline MODEL_INLINE struct parts parts_of_extended(long double x) {
    union extended u = {x};
    return (struct parts){u.bits.sign_and_exponent >> 15, u.bits.sign_and_exponent & 0x7fff, u.bits.fraction};
}

static inline MODEL_INLINE long double extended_of_parts(struct parts parts) {
    union extended u = {0};
    u.bits.sign_and_exponent = (uint16_t)(parts.negative << 15 | parts.exponent);
    u.bits.fraction = parts.fraction;
    return u.real;
}

#endif
