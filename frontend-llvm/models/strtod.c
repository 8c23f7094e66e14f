/* stdlib.h: floating-point numbers from text. Where the number ends is always exact. The value is exact for numbers of up
 * to 19 digits, of which up to 18 are after the point, and for few digits with an exponent; otherwise it is unknown. */
#include "model.h"

enum kind { NOTHING, FINITE, INFINITE, NOT_A_NUMBER };

struct number {
    enum kind kind;
    bool negative;
    bool exact; /* The digits fit: the value is mantissa * base ** exponent. */
    bool zero;
    int base;
    uint64_t mantissa;
    long exponent;
};

/* The length of `word` (in lower case) if the text starts with it in any case, else 0. */
static inline MODEL_INLINE size_t skip_word(const char *text, const char *word) {
    size_t i = 0;
    for (; word[i] != '\0'; i++) {
        if (model_to_lower(text[i]) != word[i]) {
            return 0;
        }
    }
    return i;
}

static inline MODEL_INLINE int hex_value(char c) {
    int lower = model_to_lower(c);
    return model_is_digit(c) ? c - '0' : 'a' <= lower && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* Where "nan" or "nan(letters, digits and underscores)" ends. */
static const char *skip_nan(const char *p) {
    p += 3;
    if (*p == '(') {
        const char *q = p + 1;
        while (model_is_digit(*q) || model_is_lower(*q) || model_is_upper(*q) || *q == '_') {
            q++;
        }
        if (*q == ')') {
            return q + 1;
        }
    }
    return p;
}

/* An exponent counts only if it has a digit. It saturates: so large ones all mean the same. */
static const char *read_exponent(const char *p, long *exponent) {
    const char *q = p + 1;
    bool negative = *q == '-';
    if (*q == '+' || *q == '-') {
        q++;
    }
    if (!model_is_digit(*q)) {
        return p;
    }
    long value = 0;
    for (; model_is_digit(*q); q++) {
        if (value < 100000000) {
            value = value * 10 + (*q - '0');
        }
    }
    *exponent += negative ? -value : value;
    return q;
}

/* Digits with at most one point among them; gives NULL if there is no digit. */
static const char *read_digits(const char *p, struct number *number) {
    bool any = false;
    bool point = false;
    long place = 0;
    for (;; p++) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        int digit = hex_value(*p);
        if (digit >= number->base) {
            break;
        }
        any = true;
        place -= point;
        number->zero &= digit == 0;
        if (digit == 0 && point && number->mantissa == 0) {
            number->exponent = place;
        } else if (number->mantissa > (UINT64_MAX - 15) / (unsigned)number->base) {
            number->exact = false;
        } else {
            number->mantissa = number->mantissa * (unsigned)number->base + (unsigned)digit;
            number->exponent = place;
        }
    }
    return any ? p : NULL;
}

static struct number read_number(const char *text, char **end) {
    struct number number = {NOTHING, false, true, true, 10, 0, 0};
    const char *p = text;
    const char *stop = text;
    while (model_is_space(*p)) {
        p++;
    }
    if (*p == '+' || *p == '-') {
        number.negative = *p == '-';
        p++;
    }
    size_t word = skip_word(p, "infinity");
    if (word == 0) {
        word = skip_word(p, "inf");
    }
    if (word != 0) {
        number.kind = INFINITE;
        stop = p + word;
    } else if (skip_word(p, "nan") != 0) {
        number.kind = NOT_A_NUMBER;
        stop = skip_nan(p);
    } else {
        const char *after = NULL;
        if (skip_word(p, "0x") != 0) {
            number.base = 16;
            after = read_digits(p + 2, &number);
        }
        if (after == NULL) {
            number = (struct number){NOTHING, number.negative, true, true, 10, 0, 0};
            after = read_digits(p, &number);
        }
        if (after == NULL) {
            number.negative = false; /* Without a number, the result is a positive zero. */
        } else {
            number.kind = FINITE;
            if (number.base == 16) {
                number.exponent *= 4;
            }
            int mark = model_to_lower(*after);
            stop = mark == (number.base == 16 ? 'p' : 'e') ? read_exponent(after, &number.exponent) : after;
        }
    }
    if (end != NULL) {
        *end = (char *)stop;
    }
    return number;
}

enum { LONGEST_DIVISION = 18 };

/* mantissa / 10 ** places, rounded to `digits` bits with ties to even, times 2 ** `shift`. */
static uint64_t divide(uint64_t mantissa, long places, int digits, int *shift) {
    uint64_t divisor = 1;
    for (; places > 0; places--) {
        divisor *= 10;
    }
    uint64_t quotient = mantissa / divisor, rest = mantissa % divisor;
    *shift = 0;
    for (; quotient >> digits == 0 && rest != 0; ++*shift) {
        rest *= 2;
        quotient = quotient * 2 + (rest >= divisor);
        rest -= rest >= divisor ? divisor : 0;
    }
    int extra = 0;
    while (quotient >> extra >> digits != 0) {
        extra++;
    }
    if (extra == 0) {
        return quotient;
    }
    uint64_t kept = quotient >> extra, cut = quotient - (kept << extra), half = (uint64_t)1 << (extra - 1);
    *shift -= extra;
    return kept + (cut > half || (cut == half && (rest != 0 || kept % 2 != 0)));
}

/* Exact when the mantissa and the power are: then only one operation rounds. `digits` is the precision in bits and
 * `powers` the largest power of ten that the type holds exactly. */
#define CONVERT(convert, type, any, digits, powers, infinite, smallest_normal)                                         \
    static type convert(struct number number) {                                                                        \
        type value;                                                                                                    \
        if (number.kind == NOTHING || (number.kind == FINITE && number.zero)) {                                        \
            value = 0;                                                                                                 \
        } else if (number.kind == INFINITE) {                                                                          \
            value = infinite;                                                                                          \
        } else if (number.kind == NOT_A_NUMBER) {                                                                      \
            value = infinite - infinite;                                                                               \
            return __builtin_elementwise_copysign(value, (type)(number.negative ? -1 : 1));                            \
        } else {                                                                                                       \
            long magnitude = number.exponent < 0 ? -number.exponent : number.exponent;                                 \
            if (number.exact && number.mantissa >> (digits) == 0 && magnitude <= (number.base == 10 ? powers : 60)) {  \
                type power = 1;                                                                                        \
                for (; magnitude > 0; magnitude--) {                                                                   \
                    power *= number.base == 10 ? 10 : 2;                                                               \
                }                                                                                                      \
                value = number.exponent < 0 ? (type)number.mantissa / power : (type)number.mantissa * power;           \
            } else if (number.exact && number.base == 10 && number.exponent <= 0 && magnitude <= LONGEST_DIVISION &&     \
                       (digits) < 63) {                                                                                \
                int shift;                                                                                             \
                value = (type)divide(number.mantissa, magnitude, digits, &shift);                                      \
                for (; shift > 0; shift--) {                                                                           \
                    value /= 2;                                                                                        \
                }                                                                                                      \
                for (; shift < 0; shift++) {                                                                           \
                    value *= 2;                                                                                        \
                }                                                                                                      \
            } else {                                                                                                   \
                value = any();                                                                                         \
                __clew_fact(value >= 0);                                                                             \
                if ((value < smallest_normal && __clew_any_bool()) || value == infinite) {                             \
                    __clew_errno = MODEL_ERANGE;                                                                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        return number.negative ? -value : value;                                                                       \
    }

CONVERT(to_float, float, __clew_any_float, 24, 10, __builtin_inff(), FLT_MIN)
CONVERT(to_double, double, __clew_any_double, 53, 22, __builtin_inf(), DBL_MIN)
CONVERT(to_long_double, long double, __clew_any_longdouble, 63, 27, __builtin_infl(), LDBL_MIN)

float strtof(const char *restrict text, char **restrict end) {
    return to_float(read_number(text, end));
}

double strtod(const char *restrict text, char **restrict end) {
    return to_double(read_number(text, end));
}

long double strtold(const char *restrict text, char **restrict end) {
    return to_long_double(read_number(text, end));
}

double atof(const char *text) {
    return to_double(read_number(text, NULL));
}

/* For sscanf.c, of text that is a number as a whole. */
float __clew_float_of_text(const char *text) {
    return to_float(read_number(text, NULL));
}

double __clew_double_of_text(const char *text) {
    return to_double(read_number(text, NULL));
}

long double __clew_longdouble_of_text(const char *text) {
    return to_long_double(read_number(text, NULL));
}
