//# value+c++ table
static int @add(int x, int y) { return x + y; }
static int @mix(int x, int y) { return x * 2 ^ y; }
static int @less(int x, int y) { return x < y; }
static int (*const @table[])(int, int) = {@add, @mix, @less};
static int @f(int a, int b) {
    return @table[a % 3](a, b) + @table[$[0..2]](b, $[1..9]);
}

//# value+c++ callback
typedef int (*@fn)(void *, int);
static int @sum(void *state, int v) { *(int *)state += v; return v < $[2..6]; }
static int @each(const int *row, int n, @fn fn, void *state) {
    int i = 0;
    while (i < n && fn(state, row[i]))
        i++;
    return i;
}
static int @f(int a, int b) {
    int row[4] = {a & 7, b & 7, 1, 2}, total = 0;
    int n = @each(row, 4, @sum, $via(&total));
    return total * 8 + n;
}

//# value+c++ cast_function
static long @real(long x, long y) { return x * 3 + y; }
typedef void (*@any)(void);
static int @f(int a, int b) {
    @any hidden = (@any)@real;
    @any *p = (@any *)$via(&hidden);
    return (int)((long (*)(long, long))*p)(a, b);
}

//# value+c++ other_type
static int @real(const int *p, const int *q) { return *p - *q; }
static int @f(int a, int b) {
    int (*g)(const void *, const void *) = (int (*)(const void *, const void *))@real;
    return g(&a, &b);
}

//# value more_arguments
static int @one(int x) { return x + $[1..9]; }
static int @f(int a, int b) {
    int (*g)(int, int) = (int (*)(int, int))@one;
    return g(a, b);
}

//# value+c++ methods
struct @shape;
struct @vtable { int (*area)(const struct @shape *); int (*scale)(struct @shape *, int); };
struct @shape { const struct @vtable *v; int w, h; };
static int @box_area(const struct @shape *s) { return s->w * s->h; }
static int @tri_area(const struct @shape *s) { return s->w * s->h / 2; }
static int @grow(struct @shape *s, int n) { s->w += n; return s->w; }
static int @shrink(struct @shape *s, int n) { s->h -= n; return s->h; }
static const struct @vtable @box = {@box_area, @grow}, @tri = {@tri_area, @shrink};
static int @f(int a, int b) {
    struct @shape s = {a > $[1..5] ? &@box : &@tri, a, b};
    struct @shape *p = (struct @shape *)$via(&s);
    int n = p->v->scale(p, $[1..3]);
    return p->v->area(p) + n;
}

//# value+c++ as_integer: stdint.h
static int @twice(int x) { return x * 2; }
static int @thrice(int x) { return x * 3; }
static int @f(int a, int b) {
    uintptr_t n = (uintptr_t)(a & 1 ? @twice : @thrice);
    $[n ^= 5; n ^= 5; :: n += 8; n -= 8; :: ]
    return ((int (*)(int))n)(b);
}

//# value+c++ sum_arguments: stdarg.h
static int @sum(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    int total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'i')
            total += va_arg(list, int);
        else if (*kinds == 'd')
            total += (int)va_arg(list, double);
        else if (*kinds == 'l')
            total += (int)va_arg(list, long);
        else
            total += *va_arg(list, int *);
    }
    va_end(list);
    return total;
}
static int @f(int a, int b) {
    return $[@sum("id", a, 2.0) + b :: @sum("lip", (long)a, b, &b) :: @sum("", a) + b :: @sum("pdi", &a, b * 1.0, 3) :: @sum("iiiiiiii", a, b, 1, 2, 3, 4, 5, 6)];
}

//# value+c++ forwarded: stdarg.h stdio.h
static int @write(char *to, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(to, 16, format, again);
    va_end(again);
    va_end(list);
    return n;
}
static int @f(int a, int b) {
    char text[16];
    int n = @write(text, "$[%d :: %d-%s :: x%dy]", $[12 :: -3 :: 700], "st");
    return n * 16 + text[0] + (a & b);
}

//# value+c++ big_by_value
struct @big { int v[6]; $[char c; :: double d; :: ] };
static struct @big @fill(int x) {
    struct @big g = {{0}};
    for (int i = 0; i < 6; i++)
        g.v[i] = x + i;
    return g;
}
static int @take(struct @big g, int at) { g.v[at] = 1; return g.v[0] + g.v[5]; }
static int @f(int a, int b) {
    struct @big g = @fill(a);
    int n = @take(g, b % 6);
    return n * 2 + g.v[b % 6];
}

//# value+c++ small_by_value
struct @pair { $t=[int :: short :: float :: long :: unsigned char] x, y; };
static struct @pair @flip(struct @pair p) { struct @pair q = {p.y, p.x}; return q; }
static int @f(int a, int b) {
    struct @pair p = {($t)a, ($t)b};
    p = @flip($[p :: @flip(@flip(p))]);
    return (int)p.x * 2 + (int)p.y;
}

//# value+c++ at_exit_of_scope
static int @left;
static void @leave(int *p) { @left += *p; }
static int @f(int a, int b) {
    @left = 0;
    {
        int x __attribute__((cleanup(@leave))) = a;
        x += b;
        if (a > $[2..6])
            return @left + 1;
    }
    return @left;
}

//# value nested_struct_init
struct @s { struct { int x, y; } p[2]; int n; };
static int @f(int a, int b) {
    struct @s s = {.n = a, .p = {[1] = {.y = b}}};
    struct @s t = (struct @s){.p[0].x = 3, .n = s.n + 1};
    return s.p[1].y + s.p[0].x + t.p[0].x * 2 + t.n;
}

//# value generic
#define @kind(x) _Generic((x), int: 1, long: 2, double: 3, char *: 4, default: 5)
static int @f(int a, int b) {
    return @kind($[a :: (long)a :: 1.0 :: "s" :: 'c' :: &a]) * 64 + $expr(a, b);
}

//# value+c++ weak_and_alias
static int @real(int x) { return x + 1; }
static int @other(int x) __attribute__((noinline));
static int @other(int x) { return @real(x) * 2; }
static int @f(int a, int b) {
    return @other(a) - @real(b);
}

//# value resolved
static int @one(int x) { return x + $[1..9]; }
static int @two(int x) { return x * 2; }
static int (*@resolve(void))(int) { return $[@one :: @two]; }
#define @text(name) #name
#define @expanded(name) @text(name)
static int @chosen(int) __attribute__((ifunc(@expanded(@resolve))));
static int @f(int a, int b) {
    return @chosen(a) - b;
}
