/* Bit-fields of all widths, signed and unsigned, that cross bytes, in unions and with zero-width breaks. */
#include "check.h"
#include <string.h>

struct flags {
    unsigned a : 1;
    unsigned b : 2;
    signed c : 3;
    unsigned d : 7;
    signed e : 12;
    unsigned : 0;
    unsigned f : 31;
    signed g : 1;
};

struct wide {
    unsigned long long low : 33;
    unsigned long long mid : 20;
    signed long long high : 11;
    unsigned char byte;
    _Bool yes : 1;
};

struct __attribute__((packed)) packed {
    unsigned char x : 3;
    unsigned y : 17;
    signed z : 12;
    unsigned short w;
};

union view {
    struct {
        unsigned low : 4, high : 4, rest : 24;
    } parts;
    unsigned whole;
    unsigned char bytes[4];
};

static unsigned hash(const void *object, unsigned size) {
    const unsigned char *bytes = (const unsigned char *)object;
    unsigned h = 2166136261u;
    for (unsigned i = 0; i < size; i++)
        h = (h ^ bytes[i]) * 16777619u;
    return h;
}

static struct flags global = {1, 2, -3, 100, -2000, 123456789, -1};

static struct wide change(struct wide w, int by) {
    w.low += by;
    w.mid -= by;
    w.high ^= by;
    w.yes = by & 2;
    return w;
}

int main(void) {
    struct flags s;
    memset(&s, 0, sizeof s);
    unsigned n = input();
    s.a = n;
    s.b = n >> 1;
    s.c = (int)n;
    s.d = n * 3;
    s.e = (int)n - 77;
    s.f = n ^ 0x55555555u;
    s.g = (int)n;
    result(s.a), result(s.b), result(s.c), result(s.d), result(s.e), result(s.f), result(s.g);
    result(hash(&s, sizeof s));
    s.c++;
    s.d += 100;
    s.e -= s.c;
    s.f <<= 3;
    result(s.c), result(s.d), result(s.e), result(s.f);
    result(s.a ? s.e : s.c);
    result(hash(&s, sizeof s));

    result(global.a + global.b + global.c + global.d + global.e + global.f + global.g);
    global.e = s.e;
    global.b ^= 3;
    result(hash(&global, sizeof global));

    struct wide w;
    memset(&w, 0, sizeof w);
    w.low = (unsigned long long)n << 3;
    w.mid = n;
    w.high = (int)n >> 3;
    w.byte = (unsigned char)(n >> 5);
    w.yes = n > 100;
    w = change(w, (int)input());
    result(w.low), result(w.mid), result((unsigned long long)w.high), result(w.byte), result(w.yes);

    struct packed p;
    memset(&p, 0, sizeof p);
    p.x = n;
    p.y = n >> 2;
    p.z = (int)n;
    p.w = (unsigned short)(n >> 7);
    result(sizeof p);
    result(hash(&p, sizeof p));
    result(p.x + p.y * 3u + (unsigned)p.z * 5u + p.w);

    union view v = {.whole = n};
    result(v.parts.low), result(v.parts.high), result(v.parts.rest);
    v.parts.high = v.parts.low + 1;
    result(v.whole), result(v.bytes[0]);
    v.bytes[3] ^= 0xA5;
    result(v.parts.rest);
    return 0;
}
