/* Function pointers: tables, callbacks with context, in structures, returned, compared, state machines. */
#include "check.h"

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int largest(int a, int b) { return a > b ? a : b; }
static const binary table[] = {add, sub, mul, largest};

static binary choose(unsigned n) { return n & 1 ? table[n % 4] : &largest; }
static int apply(binary f, int a, int b) { return f ? (*f)(a, b) : -1; }
static int twice(int (*g)(binary, int, int), binary f, int x) { return g(f, g(f, x, x), x); }

struct visitor {
    void *context;
    void (*visit)(void *context, int item);
};
static void for_each(const int *items, int n, struct visitor v) {
    for (int i = 0; i < n; i++)
        v.visit(v.context, items[i]);
}
static void into_sum(void *context, int item) { *(int *)context += item; }
static void into_count(void *context, int item) { ((unsigned char *)context)[item & 7]++; }

struct shape;
struct shape_methods { int (*area)(const struct shape *); void (*grow)(struct shape *, int); };
struct shape { const struct shape_methods *methods; int w, h; };
static int square_area(const struct shape *s) { return s->w * s->w; }
static int box_area(const struct shape *s) { return s->w * s->h; }
static void square_grow(struct shape *s, int by) { s->w += by; }
static void box_grow(struct shape *s, int by) { s->w += by, s->h -= by; }
static const struct shape_methods square = {square_area, square_grow}, box = {box_area, box_grow};

/* Each state returns the next one. */
struct state { struct state (*next)(char); int value; };
static struct state digits(char), start(char);
static int total;
static struct state start(char c) { return c >= '0' && c <= '9' ? digits(c) : (struct state){start, 0}; }
static struct state digits(char c) {
    if (c < '0' || c > '9')
        return (struct state){start, 1};
    total = total * 10 + (c - '0');
    return (struct state){digits, 2};
}

static int (*returns_function(int which))(int, int) { return which ? add : sub; }

int main(void) {
    int n = (int)input(), m = (int)input();
    for (int i = 0; i < 4; i++)
        result((unsigned)table[i](n, m));
    result((unsigned)choose((unsigned)n)(m, 3));
    result((unsigned)apply(n > 5 ? add : 0, n, m)), result((unsigned)apply(mul, n, m));
    result((unsigned)twice(apply, choose((unsigned)m), 3));
    result((table[0] == add) | (table[1] == add) << 1 | (choose(2) == largest) << 2);

    int items[] = {n, m, 1, 2, 3}, sum = 0;
    unsigned char counts[8] = {0};
    struct visitor v = {&sum, into_sum};
    for_each(items, 5, v);
    for_each(items, 5, (struct visitor){counts, into_count});
    result((unsigned)sum), result(counts[0] + counts[1] * 8u + counts[2] * 64u + counts[3] * 512u);

    struct shape shapes[2] = {{&square, n & 15, 0}, {&box, m & 15, 9}};
    for (int i = 0; i < 2; i++) {
        struct shape *s = &shapes[i ^ (n & 1)];
        s->methods->grow(s, 2);
        result((unsigned)s->methods->area(s));
    }
    struct state s = {start, 0};
    for (const char *c = "ab12c345"; *c; c++) {
        s = s.next(*c);
        result((unsigned)s.value);
    }
    result((unsigned)total);
    result((unsigned)returns_function(n & 1)(10, 3));
    return 0;
}
