/* The decimal digits of floating-point numbers, exact. Numbers of unusual magnitude are not modelled: these would need
 * arithmetic on hundreds of digits. */
#ifndef CLEW_PRINTF_REAL_H
#define CLEW_PRINTF_REAL_H
#include "math_bits.h"

#define REAL_POINT 1000000000000000000u /* 10 ** 18 */
#define REAL_LIMB 60
#define REAL_LIMB_MASK (((uint64_t)1 << REAL_LIMB) - 1)

/* A finite number without its sign: (high * 10 ** 18 + low) + (first + second / 2 ** 60) / 2 ** 60. */
struct real {
    uint64_t high, low, first, second;
};

enum { REAL_WHOLE = 36, REAL_ZEROS = 40, REAL_PRECISION = 50 };

/* Digits after a leading 0 that is reserved for a carry; the first `whole` of them are before the point. */
struct digits {
    char text[1 + REAL_WHOLE + REAL_ZEROS + REAL_PRECISION];
    int whole, count;
};

/* mantissa * 2 ** exponent. */
static struct real real_of(uint64_t mantissa, int exponent) {
    struct real real = {0, 0, 0, 0};
    if (mantissa == 0) {
        return real;
    }
    if (exponent >= 0) {
        if (exponent > 52) {
            __clew_unsupported("a floating-point number above 2 ** 105 in a format");
        }
        real.high = mantissa / REAL_POINT;
        real.low = mantissa % REAL_POINT;
        for (; exponent > 0; exponent--) {
            real.low *= 2;
            real.high *= 2;
            if (real.low >= REAL_POINT) {
                real.low -= REAL_POINT;
                real.high++;
            }
        }
        return real;
    }
    int places = -exponent;
    for (; places > 2 * REAL_LIMB && mantissa % 2 == 0; places--) {
        mantissa /= 2;
    }
    if (places > 2 * REAL_LIMB) {
        /* Any number so small gives the same digits in a fixed format. */
        real.second = 1;
        return real;
    }
    uint64_t whole = places < 64 ? mantissa >> places : 0;
    uint64_t rest = places < 64 ? mantissa & (((uint64_t)1 << places) - 1) : mantissa;
    real.high = whole / REAL_POINT;
    real.low = whole % REAL_POINT;
    if (places <= REAL_LIMB) {
        real.first = rest << (REAL_LIMB - places);
    } else {
        int shift = places - REAL_LIMB;
        real.first = rest >> shift;
        real.second = (rest & (((uint64_t)1 << shift) - 1)) << (REAL_LIMB - shift);
    }
    return real;
}

static inline MODEL_INLINE bool real_is_tiny(struct real real) {
    return real.high == 0 && real.low == 0 && real.first == 0 && real.second == 1;
}

/* The next digit after the point; what follows stays. */
static inline MODEL_INLINE char next_digit(struct real *real) {
    real->second *= 10;
    real->first = real->first * 10 + (real->second >> REAL_LIMB);
    real->second &= REAL_LIMB_MASK;
    char digit = (char)('0' + (real->first >> REAL_LIMB));
    real->first &= REAL_LIMB_MASK;
    return digit;
}

static void whole_digits(struct digits *digits, uint64_t number, int least) {
    int count = least;
    if (least == 0) {
        for (uint64_t rest = number; rest != 0; rest /= 10) {
            count++;
        }
    }
    for (int i = count; i > 0; i--) {
        digits->text[digits->count + i] = (char)('0' + number % 10);
        number /= 10;
    }
    digits->count += count;
}

/* Adds one to the last of the kept digits. */
static void carry(struct digits *digits) {
    int i = digits->count;
    for (; digits->text[i] == '9'; i--) {
        digits->text[i] = '0';
    }
    digits->text[i]++;
}

/* Rounds to `places` digits after the point or, if `significant`, to so many in all. Ties go to the even digit. */
static struct digits digits_of(struct real real, int places, bool significant) {
    struct digits digits = {.whole = 0, .count = 0};
    digits.text[0] = '0';
    if (real.high != 0) {
        whole_digits(&digits, real.high, 0);
        whole_digits(&digits, real.low, 18);
    } else {
        whole_digits(&digits, real.low, 0);
    }
    digits.whole = digits.count;
    int kept = significant ? places : digits.whole + places;
    bool is_zero = digits.count == 0 && real.first == 0 && real.second == 0;
    if (significant && digits.count == 0 && !is_zero) {
        if (real_is_tiny(real)) {
            __clew_unsupported("a floating-point number below 2 ** -67 in a format");
        }
        for (char digit = next_digit(&real); ; digit = next_digit(&real)) {
            digits.text[++digits.count] = digit;
            if (digit != '0') {
                break;
            }
            kept++;
        }
    }
    if (kept < digits.count) {
        /* The cut is before the point. */
        char next = digits.text[kept + 1];
        bool more = real.first != 0 || real.second != 0;
        for (int i = kept + 2; i <= digits.count; i++) {
            more = more || digits.text[i] != '0';
        }
        digits.count = kept;
        if (next > '5' || (next == '5' && (more || digits.text[kept] % 2 != 0))) {
            carry(&digits);
        }
        return digits;
    }
    while (digits.count < kept) {
        digits.text[++digits.count] = next_digit(&real);
    }
    uint64_t half = (uint64_t)1 << (REAL_LIMB - 1);
    if (real.first > half || (real.first == half && (real.second != 0 || digits.text[digits.count] % 2 != 0))) {
        carry(&digits);
    }
    return digits;
}

/* Formats a finite number without its sign for %f, %e or %g. Returns the length. */
static int real_text(char *to, struct real real, char conversion, int precision, bool alternate) {
    if (precision > REAL_PRECISION) {
        __clew_unsupported("a large precision of a floating-point number in a format");
    }
    bool general = conversion == 'g';
    precision = precision < 0 ? 6 : precision;
    precision = general && precision == 0 ? 1 : precision;
    struct digits digits = conversion == 'f' ? digits_of(real, precision, false)
                                             : digits_of(real, general ? precision : precision + 1, true);
    /* The first digit that counts; in a zero, the first one. */
    int first = 0;
    while (first < digits.count && digits.text[first] == '0') {
        first++;
    }
    bool is_zero = digits.text[first] == '0';
    int exponent = is_zero ? 0 : digits.whole - first;
    int after = precision;
    bool scientific = conversion == 'e';
    if (general) {
        scientific = exponent < -4 || exponent >= precision;
        after = scientific ? precision - 1 : precision - 1 - exponent;
        if (scientific && alternate && digits.text[0] != '0') {
            __clew_unsupported("%#g of a number that is rounded up to a power of ten, where C libraries differ");
        }
    }
    int length = 0;
    /* Where the digits before and after the point are. */
    int point = scientific && !is_zero ? first + 1 : digits.whole + 1;
    int start = scientific ? point - 1 : digits.text[0] != '0' ? 0 : 1;
    if (start >= point) {
        to[length++] = '0';
    }
    for (int i = start; i < point; i++) {
        to[length++] = i <= digits.count ? digits.text[i] : '0';
    }
    int before_point = length;
    to[length++] = '.';
    for (int i = point; i < point + after; i++) {
        to[length++] = i <= digits.count ? digits.text[i] : '0';
    }
    if (general && !alternate) {
        while (to[length - 1] == '0' && length > before_point + 1) {
            length--;
        }
    }
    if (to[length - 1] == '.' && !alternate) {
        length--;
    }
    if (scientific) {
        int magnitude = exponent < 0 ? -exponent : exponent;
        to[length++] = 'e';
        to[length++] = exponent < 0 ? '-' : '+';
        to[length++] = (char)('0' + magnitude / 10);
        to[length++] = (char)('0' + magnitude % 10);
    }
    return length;
}

#endif
