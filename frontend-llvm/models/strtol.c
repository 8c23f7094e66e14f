/* stdlib.h: integers from text. */
#include "model.h"

struct number {
    unsigned long long magnitude;
    bool negative;
    bool overflow;
};

/* The value of a digit in bases up to 36; 99 if it is none. */
static inline MODEL_INLINE int digit_value(char c) {
    if (model_is_digit(c)) {
        return c - '0';
    }
    c = (char)model_to_lower(c);
    return model_is_lower(c) ? c - 'a' + 10 : 99;
}

/* Reads as the standard describes for strtol; `*end` is the text itself if there is no number. */
static struct number read_number(const char *text, char **end, int base) {
    struct number number = {0, false, false};
    const char *p = text;
    if (base < 0 || base == 1 || base > 36) {
        /* glibc leaves *end alone. */
        __clew_errno = MODEL_EINVAL;
        return number;
    }
    while (model_is_space(*p)) {
        p++;
    }
    if (*p == '+' || *p == '-') {
        number.negative = *p == '-';
        p++;
    }
    /* "0x" counts only if a digit follows: else the number is the 0 before the x. */
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_value(p[2]) < 16) {
        p += 2;
        base = 16;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    const char *digits = p;
    for (; digit_value(*p) < base; p++) {
        unsigned long long scaled;
        if (__builtin_mul_overflow(number.magnitude, (unsigned)base, &scaled) ||
            __builtin_add_overflow(scaled, (unsigned)digit_value(*p), &scaled)) {
            number.overflow = true;
        } else {
            number.magnitude = scaled;
        }
    }
    if (end != NULL) {
        *end = (char *)(p == digits ? text : p);
    }
    return number;
}

static inline MODEL_INLINE long long as_signed(struct number number, long long least, long long most) {
    unsigned long long limit = number.negative ? 0ULL - (unsigned long long)least : (unsigned long long)most;
    if (number.overflow || number.magnitude > limit) {
        __clew_errno = MODEL_ERANGE;
        return number.negative ? least : most;
    }
    return (long long)(number.negative ? 0ULL - number.magnitude : number.magnitude);
}

/* A minus sign negates in the unsigned type. */
static inline MODEL_INLINE unsigned long long as_unsigned(struct number number, unsigned long long most) {
    if (number.overflow || number.magnitude > most) {
        __clew_errno = MODEL_ERANGE;
        return most;
    }
    return number.negative ? 0ULL - number.magnitude : number.magnitude;
}

#define SIGNED(name, type, least, most)                                                                                \
    type name(const char *restrict text, char **restrict end, int base) {                                              \
        return (type)as_signed(read_number(text, end, base), least, most);                                             \
    }
#define UNSIGNED(name, type, most)                                                                                     \
    type name(const char *restrict text, char **restrict end, int base) {                                              \
        return (type)as_unsigned(read_number(text, end, base), most);                                                  \
    }

SIGNED(strtol, long, LONG_MIN, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MIN, LLONG_MAX)
SIGNED(strtoq, long long, LLONG_MIN, LLONG_MAX)
SIGNED(strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED(strtouq, unsigned long long, ULLONG_MAX)
UNSIGNED(strtoumax, uintmax_t, UINTMAX_MAX)

int atoi(const char *text) {
    return (int)as_signed(read_number(text, NULL, 10), LONG_MIN, LONG_MAX);
}

long atol(const char *text) {
    return (long)as_signed(read_number(text, NULL, 10), LONG_MIN, LONG_MAX);
}

long long atoll(const char *text) {
    return as_signed(read_number(text, NULL, 10), LLONG_MIN, LLONG_MAX);
}

/* What newer glibc headers call when C23 is on: "0b" is a prefix as well, which a text may or may not have. */
#define BINARY_PREFIX(name, type, convert)                                                                             \
    type name(const char *restrict text, char **restrict end, int base) {                                              \
        const char *p = text;                                                                                          \
        while (model_is_space(*p)) {                                                                                   \
            p++;                                                                                                       \
        }                                                                                                              \
        p += *p == '+' || *p == '-';                                                                                   \
        if ((base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) {                                 \
            __clew_unsupported("a binary number in the text given to strtol");                                         \
        }                                                                                                              \
        return (type)convert;                                                                                          \
    }

BINARY_PREFIX(__isoc23_strtol, long, as_signed(read_number(text, end, base), LONG_MIN, LONG_MAX))
BINARY_PREFIX(__isoc23_strtoll, long long, as_signed(read_number(text, end, base), LLONG_MIN, LLONG_MAX))
BINARY_PREFIX(__isoc23_strtoul, unsigned long, as_unsigned(read_number(text, end, base), ULONG_MAX))
BINARY_PREFIX(__isoc23_strtoull, unsigned long long, as_unsigned(read_number(text, end, base), ULLONG_MAX))
