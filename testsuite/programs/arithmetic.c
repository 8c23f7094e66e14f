/* Integer arithmetic of all widths: signs, wrapping, division, shifts, conversions. */
#include "check.h"
#include <limits.h>
#include <stdint.h>

#define ALL_OPERATIONS(T, a, b)                                                                                        \
    do {                                                                                                               \
        T x = (T)(a), y = (T)(b);                                                                                      \
        result((uint64_t)(T)(x + y));                                                                                  \
        result((uint64_t)(T)(x - y));                                                                                  \
        result((uint64_t)(T)(x * y));                                                                                  \
        if (y != 0 && !((T)-1 < 0 && y == (T)-1)) {                                                                    \
            result((uint64_t)(T)(x / y));                                                                              \
            result((uint64_t)(T)(x % y));                                                                              \
        }                                                                                                              \
        result((uint64_t)(T)(x & y));                                                                                  \
        result((uint64_t)(T)(x | y));                                                                                  \
        result((uint64_t)(T)(x ^ y));                                                                                  \
        result((uint64_t)(T)~x);                                                                                       \
        result((uint64_t)(T)-x);                                                                                       \
        unsigned by = (unsigned)(b) % (sizeof(T) * CHAR_BIT);                                                          \
        result((uint64_t)(T)((uint64_t)x << by));                                                                      \
        result((uint64_t)(T)(x >> by));                                                                                \
        result((x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (!x) << 6);    \
        T counter = x;                                                                                                 \
        result((uint64_t)counter++);                                                                                   \
        result((uint64_t)++counter);                                                                                   \
        result((uint64_t)counter--);                                                                                   \
        result((uint64_t)--counter);                                                                                   \
        counter += y, counter *= 3, counter ^= x, counter -= 7;                                                        \
        result((uint64_t)counter);                                                                                     \
    } while (0)

static int64_t floor_div(int64_t a, int64_t b) {
    int64_t q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

static uint32_t gcd(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus) {
    uint64_t r = 1 % modulus;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            r = r * base % modulus;
        base = base * base % modulus;
    }
    return r;
}

int main(void) {
    uint64_t a = (uint64_t)input() << 32 | input();
    uint64_t b = (uint64_t)input() << 32 | input();
    ALL_OPERATIONS(int8_t, a, b);
    ALL_OPERATIONS(uint8_t, a, b);
    ALL_OPERATIONS(int16_t, a, b);
    ALL_OPERATIONS(uint16_t, a, b);
    ALL_OPERATIONS(int32_t, a, b);
    ALL_OPERATIONS(uint32_t, a, b);
    ALL_OPERATIONS(int64_t, a, b);
    ALL_OPERATIONS(uint64_t, a, b);
    ALL_OPERATIONS(long, a, b);
    ALL_OPERATIONS(unsigned long, a, b);
    ALL_OPERATIONS(char, a, b);
    ALL_OPERATIONS(_Bool, a & 1, b & 1);

    /* Conversions that extend, cut, and change the sign. */
    int8_t narrow = (int8_t)a;
    result((uint64_t)(int64_t)narrow);
    result((uint32_t)narrow);
    result((uint16_t)narrow);
    result((uint64_t)(uint8_t)narrow);
    result((_Bool)(a & 0xF0));
    result((unsigned)((short)a * (short)b));
    result((uint64_t)((int)a < (unsigned)b));
    result((uint64_t)((signed char)a < (unsigned char)b));

    result((uint64_t)floor_div((int32_t)a, (int32_t)b == 0 || (int32_t)b == -1 ? 3 : (int32_t)b));
    result(gcd((uint32_t)a, (uint32_t)b));
    result(power_mod((uint32_t)a, (uint32_t)b, 1000003));
    return 0;
}
