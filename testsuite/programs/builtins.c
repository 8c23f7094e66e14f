/* Builtins: bit counting, byte order, overflow checks, hints, rotations, type tests. */
#include "check.h"
#include <stdint.h>

static unsigned rotate(unsigned x, unsigned by) { return x << (by & 31) | x >> (-by & 31); }
static int checked(int n) {
    if (n == 12345)
        __builtin_unreachable();
    return n + 1;
}


#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, char: 4, double: 5, float: 6, char *: 7, default: 8)

int main(void) {
    unsigned n = input();
    uint64_t w = (uint64_t)n << 32 | input();
    result((unsigned)__builtin_popcount(n)), result((unsigned)__builtin_popcountll(w)), result((unsigned)__builtin_parity(n)), result((unsigned)__builtin_parityll(w));
    result((unsigned)__builtin_clz(n | 1)), result((unsigned)__builtin_clzll(w | 1)), result((unsigned)__builtin_ctz(n | 0x80000000u));
    result((unsigned)__builtin_ctzll(w | 1ull << 63)), result((unsigned)__builtin_ffs((int)n)), result((unsigned)__builtin_ffsll((long long)w)), result((unsigned)__builtin_clrsb((int)n));
    result(__builtin_bswap16((uint16_t)n)), result(__builtin_bswap32(n)), result(__builtin_bswap64(w));
    result(__builtin_bitreverse8((uint8_t)n)), result(__builtin_bitreverse32(n)), result(__builtin_bitreverse64(w));
    result(__builtin_rotateleft32(n, 7)), result(__builtin_rotateright64(w, n)), result(__builtin_rotateleft8((uint8_t)n, 3)), result(rotate(n, n >> 3));

    int a = (int)n, b = (int)w, r;
    unsigned u;
    long long l;
    unsigned long long ul;
    short s;
    result(__builtin_sadd_overflow(a, b, &r)), result((unsigned)r);
    result(__builtin_ssub_overflow(a, b, &r)), result((unsigned)r);
    result(__builtin_smul_overflow(a, b, &r)), result((unsigned)r);
    result(__builtin_uadd_overflow(n, (unsigned)b, &u)), result(u);
    result(__builtin_usub_overflow(n, (unsigned)b, &u)), result(u);
    result(__builtin_umul_overflow(n, (unsigned)b, &u)), result(u);
    result(__builtin_add_overflow((long long)w, a, &l)), result((uint64_t)l);
    result(__builtin_mul_overflow((long long)w, b, &l)), result((uint64_t)l);
    result(__builtin_mul_overflow(w, (uint64_t)n, &ul)), result(ul);
    result(__builtin_add_overflow(a, b, &s)), result((uint64_t)s);
    result(__builtin_sub_overflow(n, b, &l)), result((uint64_t)l);
    unsigned carry;
    result(__builtin_addc(n, (unsigned)b, 1, &carry)), result(carry);

    result(__builtin_expect(n > 5, 1) ? 1 : 2);
    if (__builtin_expect_with_probability(n == 3, 0, 0.9))
        result(3);
    __builtin_assume(n <= 0xFFFFFFFFu);
    __builtin_prefetch(&n);
    result((unsigned)checked(a == 12345 ? 0 : a));
    result((unsigned)__builtin_constant_p(3)), result(__builtin_types_compatible_p(int, signed int)), result((unsigned)__builtin_choose_expr(1, 5, "x"));
    result(KIND(1) + KIND(1u) * 10 + KIND('a') * 100 + KIND((char)1) * 1000 + KIND(1.0f) * 10000 + KIND("s") * 100000 + KIND((short)1) * 1000000);
    char buffer[12];
    result(__builtin_object_size(buffer, 0)), result(__builtin_object_size(buffer + 4, 1));
    result((unsigned)__builtin_abs(-5 - (int)(n & 0xFF))), result((uint64_t)__builtin_llabs(-(long long)n));
    result(__builtin_elementwise_add_sat((uint8_t)n, (uint8_t)b)), result((uint64_t)(int8_t)__builtin_elementwise_sub_sat((int8_t)n, (int8_t)b));
    result((unsigned)__builtin_elementwise_max(a, b)), result(__builtin_elementwise_min(n, (unsigned)b));
    int *p = __builtin_assume_aligned(&a, 4);
    result((unsigned)*p), result(__builtin_is_aligned(16u, 8)), result(__builtin_align_up(n & 0xFFFF, 16));
    result(__alignof__(double) + _Alignof(char)), result(__builtin_offsetof(struct { char c; int i; }, i));
    return 0;
}
