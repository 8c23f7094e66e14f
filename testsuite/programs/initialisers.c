/* Compound literals, designated initialisers, flexible array members, static locals, tentative definitions. */
#include "check.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
static struct line lines[] = {
    [2] = {.to = {.y = 4}, .name = "second"},
    [0] = {{1, 2}, {3, 4}, "zeroth"},
    {.from.x = 7, .from.y = 8, .to = {9}},
};
static int sparse[20] = {[3] = 3, 4, [10 ... 12] = 7, [19] = -1};
static char text[] = "ab\0cd", fixed[8] = "12345678", matrix[2][3] = {"ab", {'c'}};
int tentative;
int tentative;
static struct { int *p; const char *s; int (*f)(int); size_t n; } links;
static int square(int x) { return x * x; }
static int target[4] = {1, 2, 3, 4};
static struct { int *p; const char *s; int (*f)(int); size_t n; } linked = {&target[2], text + 3, square, sizeof text};
static int *const pointers[3] = {target, &target[3], 0};
static const long long wide = 1ll << 40 | 5;
static struct chain { struct chain *next; int value; } last = {0, 3}, first = {&last, 1}, ring = {&ring, 9};

struct message { unsigned size; unsigned char kind; short data[]; };
static struct message constant = {3, 1, {10, 20, 30}};

static struct message *make(unsigned n) {
    struct message *m = malloc(sizeof *m + n * sizeof m->data[0]);
    if (!m)
        abort();
    m->size = n;
    m->kind = (unsigned char)n;
    for (unsigned i = 0; i < n; i++)
        m->data[i] = (short)(i * 3);
    return m;
}

static unsigned next(void) {
    static unsigned count = 5, calls;
    static struct point memory = {1, 1};
    memory.x += memory.y, memory.y = memory.x - memory.y;
    return count += ++calls + (unsigned)memory.x;
}

static int length(const struct point *p) { return p->x * p->x + p->y * p->y; }
static struct point *kept;

int main(void) {
    int n = (int)input();
    for (int i = 0; i < 3; i++) {
        const struct line *l = &lines[i];
        result((unsigned)(l->from.x + l->from.y * 10 + l->to.x * 100 + l->to.y * 1000 + (l->name ? l->name[0] : 0)));
    }
    for (int i = 0; i < 20; i += 3)
        result((unsigned)sparse[i]);
    result((unsigned)(text[3] + (int)sizeof text + fixed[7] + matrix[0][1] + matrix[1][0] + matrix[1][2]));
    result((unsigned)tentative++), result((unsigned)tentative);
    result(links.p == 0 && links.s == 0 && links.f == 0 && links.n == 0);
    result((unsigned)(linked.f(*linked.p + linked.p[1]) + *linked.s + (int)linked.n));
    *pointers[1] = n;
    result((unsigned)(target[3] + *pointers[0])), result((unsigned long long)wide);
    result((unsigned)(first.next->value + ring.next->next->value)), result(first.next->next == 0);

    struct message *m = make((unsigned)n % 9 + 1);
    result(m->size + m->kind + (unsigned)m->data[m->size - 1]), result(offsetof(struct message, data));
    result((unsigned)(constant.data[(unsigned)n % 3] + constant.data[2]));
    free(m);
    result(next()), result(next()), result(next());

    result((unsigned)length(&(struct point){n & 0xFF, 2}));
    int *values = (int[]){5, n, 7};
    values[0] += values[1];
    result((unsigned)(values[0] + values[2]));
    struct point a = {.y = n}, b = (n & 1) ? a : (struct point){1, 2};
    kept = &(struct point){n, n};
    kept->x++;
    result((unsigned)(a.x + b.y + kept->x + kept->y));
    int local[8] = {[2] = n, [5] = 6}, grid[2][2] = {{n}, {0, 4}};
    result((unsigned)(local[0] + local[2] + local[5] * 2 + local[7] + grid[0][0] + grid[0][1] + grid[1][1]));
    char name[10] = "xy";
    result((unsigned)(name[1] + name[2] + name[9]));
    return 0;
}
