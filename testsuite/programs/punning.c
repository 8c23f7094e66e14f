/* Unions and type punning: the same bytes seen as other types. */
#include "check.h"
#include <stdint.h>
#include <string.h>

union number {
    float f;
    uint32_t u;
    int32_t i;
    uint16_t halves[2];
    uint8_t bytes[4];
};

union big {
    double d;
    uint64_t u;
    struct {
        uint32_t low, high;
    };
    char text[16];
};

struct tagged {
    enum { INT, REAL, TEXT } kind;
    union {
        long integer;
        double real;
        char text[8];
    };
};

static float quick_inverse_root(float x) {
    union number n = {.f = x};
    n.u = 0x5f3759dfu - (n.u >> 1);
    return n.f * (1.5f - 0.5f * x * n.f * n.f);
}

static double value_of(const struct tagged *t) {
    switch (t->kind) {
    case INT: return (double)t->integer;
    case REAL: return t->real;
    default: return t->text[0] * 100 + t->text[1];
    }
}

static uint32_t read_little(const unsigned char *p) {
    return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

int main(void) {
    uint32_t n = input();
    union number a = {.u = n};
    result(a.halves[0]), result(a.halves[1]), result(a.bytes[3]);
    a.halves[1] = 0x3f80;
    a.bytes[0] = 7;
    result_double(a.f);
    a.i = -(int)(n & 0xFFFF);
    result(a.bytes[0] ^ a.bytes[1] << 3 ^ a.bytes[2] << 5);

    union big b;
    memset(&b, 0, sizeof b);
    b.d = (double)(int)n;
    result(b.low), result(b.high);
    b.high ^= 0x80000000u;
    result_double(b.d);
    strcpy(b.text, "punning");
    result(b.u);
    b.text[9] = 'x';
    union big c = b;
    result((unsigned)c.text[9]);

    result_double(quick_inverse_root((float)(n % 1000 + 1)));

    struct tagged t[3] = {{.kind = INT, .integer = (long)(int)n}, {.kind = REAL, .real = n * 0.5}, {.kind = TEXT, .text = "hi"}};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += value_of(&t[i]);
    result_double(sum);
    t[0] = t[2];
    t[2] = t[1];
    result_double(value_of(&t[0]) + value_of(&t[2]));

    /* Bytes of an int, and an int from bytes at an odd place. */
    unsigned char buffer[16] = {0};
    memcpy(buffer + 3, &n, 4);
    result(read_little(buffer + 3));
    uint32_t back;
    memcpy(&back, buffer + 2, 4);
    result(back);
    *(unsigned char *)&n = 0xEE;
    result(n);
    uint64_t eight = 0x0123456789abcdefull;
    uint16_t *view = (uint16_t *)&eight;
    view[n & 3] = (uint16_t)n;
    result(eight);
    return 0;
}
