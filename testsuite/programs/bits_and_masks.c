/* Bit tricks: masks, Gray code, Morton order, bit sets, saturating and fixed-point arithmetic. */
#include "check.h"
#include <stdint.h>

static uint32_t spread(uint16_t x) {
    uint32_t r = x;
    r = (r | r << 8) & 0x00FF00FFu, r = (r | r << 4) & 0x0F0F0F0Fu, r = (r | r << 2) & 0x33333333u;
    return (r | r << 1) & 0x55555555u;
}
static uint32_t round_up(uint32_t x) {
    x--, x |= x >> 1, x |= x >> 2, x |= x >> 4, x |= x >> 8, x |= x >> 16;
    return x + 1;
}
static int count(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
static int16_t saturated(int16_t a, int16_t b) {
    int s = a + b;
    return (int16_t)(s > 32767 ? 32767 : s < -32768 ? -32768 : s);
}
static int32_t fixed_mul(int32_t a, int32_t b) { return (int32_t)((int64_t)a * b >> 16); }
static uint32_t isqrt(uint32_t x) {
    uint32_t r = 0;
    for (uint32_t bit = 1u << 30; bit; bit >>= 2)
        if (x >= r + bit)
            x -= r + bit, r = (r >> 1) + bit;
        else
            r >>= 1;
    return r;
}

int main(void) {
    uint32_t n = input(), m = input();
    result(spread((uint16_t)n) | spread((uint16_t)m) << 1), result(round_up(n & 0xFFFFFF)), result((unsigned)count((uint64_t)n << 32 | m));
    result(n ^ n >> 1), result((uint16_t)saturated((int16_t)n, (int16_t)m)), result((uint32_t)fixed_mul((int32_t)n, (int32_t)m)), result(isqrt(n));
    uint32_t set[4] = {0};
    for (unsigned i = 0; i < 20; i++) {
        unsigned bit = (n * i + m) & 127;
        set[bit / 32] |= 1u << bit % 32;
        if (i % 3 == 0)
            set[(bit ^ 5) / 32] &= ~(1u << (bit ^ 5) % 32);
    }
    result(set[0]), result(set[1]), result(set[2]), result(set[3]);
    int x = (int)n, y = (int)m;
    result((unsigned)(y ^ ((x ^ y) & -(x < y)))), result((unsigned)((x & y) + ((x ^ y) >> 1)));
    result((x ^ y) < 0), result((n & -n) == 0 || ((n & -n) & n) != 0), result((unsigned)((x >> 31) | (x != 0)));
    uint8_t b = (uint8_t)n;
    b = (uint8_t)(b << 4 | b >> 4), b ^= 0xFFu, b += 200, b >>= 1;
    result(b), result((uint8_t)~b), result((unsigned)~b), result((unsigned)(b << 24 >> 24)), result(!b + !!b * 2u);
    return 0;
}
