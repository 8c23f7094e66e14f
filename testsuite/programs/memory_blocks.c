/* memcpy, memmove and memset: constant and variable lengths, overlaps, structures, pointers copied byte by byte. */
#include "check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct inner { short a; int b; };
struct outer { char tag; struct inner in[2]; int *link; double d; };

static unsigned hash(const void *object, size_t size) {
    const unsigned char *p = object;
    unsigned h = 17;
    while (size--)
        h = h * 31 + *p++;
    return h;
}

static void copy_bytes(void *to, const void *from, size_t n) {
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
}

static int shared = 77;
static unsigned char arena[256];
static size_t used;
static void *bump(size_t size) {
    void *p = arena + used;
    used += (size + 15) & ~(size_t)15;
    return p;
}

int main(void) {
    unsigned n = input();
    unsigned char a[32], b[32];
    for (int i = 0; i < 32; i++)
        a[i] = (unsigned char)(i * 7 + (int)n);
    memset(b, 0xAB, sizeof b);
    memcpy(b + 4, a + 1, n % 20);
    result(hash(b, sizeof b));
    memmove(a + 3, a, n % 25), result(hash(a, sizeof a));
    memmove(a, a + 5, n % 25), result(hash(a, sizeof a));
    memset(a + n % 8, (int)n, n % 20), result(hash(a, sizeof a));
    memcpy(a, b, 16), memmove(a + 8, a, 16), memset(a, 0, 3), result(hash(a, sizeof a));
    memcpy(a, b, 0), memset(a, 9, n & 0), result(hash(a, sizeof a));

    struct outer x, y;
    memset(&x, 0, sizeof x);
    x.tag = 'x', x.in[0].a = (short)n, x.in[1].b = (int)n * 3, x.link = &shared, x.d = n * 0.5;
    y = x;
    x.in[1].b++, *y.link += 1;
    result((unsigned)y.in[1].b), result((unsigned)*x.link), result_double(y.d);
    struct outer *heap = malloc(3 * sizeof *heap);
    if (!heap)
        abort();
    memcpy(heap, &x, sizeof x);
    heap[1] = y, heap[2] = heap[0];
    heap[0].in[0] = heap[1].in[1];
    result((unsigned)heap[0].in[0].b), result((unsigned)*heap[2].link), result(heap[2].link == &shared);

    /* A pointer, copied byte by byte and through an integer. */
    int local = (int)n, *p = &local, *q = 0;
    copy_bytes(&q, &p, sizeof p);
    *q += 5, result((unsigned)local);
    uintptr_t bits = (uintptr_t)p;
    int *r = (int *)(bits ^ 0x55 ^ 0x55);
    *r *= 2, result((unsigned)local), result(r == p);
    unsigned char raw[sizeof p];
    memcpy(raw, &p, sizeof p);
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] ^= 0x5A;
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] ^= 0x5A;
    memcpy(&q, raw, sizeof q);
    result((unsigned)*q);
    result(((uintptr_t)&x & (_Alignof(struct outer) - 1)) == 0);
    copy_bytes(&y, heap, sizeof y);
    result((unsigned)*y.link);

    double *d = bump(2 * sizeof(double));
    int *k = bump(3 * sizeof(int));
    d[1] = 2.5, k[2] = (int)n, d[0] = k[2];
    result_double(d[0] + d[1]), result(used);
    free(heap);
    uint32_t words[4] = {n, 2, 3, 4};
    uint64_t pair[2];
    memcpy(pair, words, sizeof pair);
    result(pair[0]), result(pair[1]);
    memcpy((char *)words + 1, (char *)pair + 2, 7);
    result(words[0]), result(words[1]);
    return 0;
}
