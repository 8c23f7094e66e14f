//# via+c++ plain
static void *@f(void *p) {
    return p;
}

//# via+c++ union_double
union @u { void *p; double d; };
static void *@f(void *p) {
    union @u x, y;
    x.p = p;
    y.d = x.d;
    return y.p;
}

//# via+c++ union_long
union @u { void *p; $[long l :: unsigned long l :: long long l]; };
static void *@f(void *p) {
    union @u x, y;
    x.p = p;
    y.l = $[x.l :: x.l + $k=[1..9] - $k :: ~~x.l :: -(-x.l) :: x.l ^ 0];
    return y.p;
}

//# via+c++ union_bytes
union @u { void *p; $t=[char :: unsigned char] c[8]; };
static void *@f(void *p) {
    union @u x, y;
    x.p = p;
    for (int i = 0; i < 8; i++)
        y.c[i] = x.c[i];
    return y.p;
}

//# via+c++ union_halves: stdint.h
union @u { void *p; uint32_t w[2]; uint16_t h[4]; };
static void *@f(void *p) {
    union @u x, y;
    x.p = p;
    $[y.w[0] = x.w[0]; y.w[1] = x.w[1]; :: y.h[0] = x.h[0]; y.h[1] = x.h[1]; y.h[2] = x.h[2]; y.h[3] = x.h[3]; :: y.w[0] = x.w[0]; y.h[2] = x.h[2]; y.h[3] = x.h[3];]
    return y.p;
}

//# via+c++ generic_swap
static void @swap(void *x, void *y, unsigned n) {
    $t=[char :: long :: double] *p = ($t *)x, *q = ($t *)y;
    for (unsigned i = 0; i < n / sizeof *p; i++) {
        $t t = p[i];
        p[i] = q[i];
        q[i] = t;
    }
}
static void *@f(void *p) {
    void *one = 0, *two = p;
    @swap(&one, &two, sizeof one);
    return one;
}

//# via+c++ memcpy_double: string.h
static void *@f(void *p) {
    $t=[double :: long :: unsigned long long] d;
    void *q;
    $m=[memcpy :: memmove](&d, &p, sizeof d);
    $m(&q, &d, sizeof q);
    return q;
}

//# via+c++ two_copies: string.h
static void *@f(void *p) {
    void *q = 0;
    memcpy(&q, &p, $k=[1..7]);
    memcpy((char *)&q + $k, (char *)&p + $k, 8 - $k);
    return q;
}

//# via+c++ integer: stdint.h
static void *@f(void *p) {
    $t=[uintptr_t :: intptr_t :: unsigned long :: long long] n = ($t)p;
    $[n += $k=[1..99]; n -= $k; :: n ^= $k=[1..99]; n ^= $k; :: n = ~n; n = ~n; :: n *= 2; n /= 2; :: n = n << 1 >> 1; :: n = -n; n = 0 - n; :: n = (n & 0xffff) | (n & ~($t)0xffff); :: n = (n >> 32 << 32) + (n & 0xffffffff);]
    return (void *)n;
}

//# via+c++ tagged: stdint.h
static void *@f(void *p) {
    uintptr_t n = (uintptr_t)p;
    uintptr_t tag = n & 3;
    n = $[n & ~(uintptr_t)3 :: n - tag :: (n >> 2) << 2 :: n ^ tag];
    $[n |= 1; n &= ~(uintptr_t)1; :: n += 2; n -= 2; :: ;]
    return (void *)$[(n | tag) :: (n + tag) :: (n ^ tag)];
}

//# via+c++ xor_key: stdint.h
static uintptr_t @key = $[12345 :: 0x5555 :: 7];
static void *@f(void *p) {
    uintptr_t hidden = (uintptr_t)p ^ @key;
    return (void *)(hidden ^ @key);
}

//# via+c++ xor_pair: stdint.h
static int @other;
static void *@f(void *p) {
    uintptr_t link = (uintptr_t)p ^ (uintptr_t)&@other;
    return (void *)(link ^ (uintptr_t)&@other);
}

//# via+c++ add_overflow: stdint.h
static void *@f(void *p) {
    uintptr_t n;
    if (__builtin_add_overflow((uintptr_t)p, (uintptr_t)$k=[0..16], &n))
        return 0;
    uintptr_t m;
    $[(void)__builtin_sub_overflow(n, (uintptr_t)$k, &m); :: m = n - $k;]
    return (void *)m;
}

//# via+c++ align_down: stdint.h
static void *@f(void *p) {
    char *base = (char *)__builtin_align_down(p, $[4 :: 8 :: 16]);
    return base + ((uintptr_t)p - (uintptr_t)base);
}

//# via+c++ difference: stddef.h
static char @anchor[4];
static void *@f(void *p) {
    $[ptrdiff_t :: long] d = (char *)p - @anchor;
    return @anchor + d;
}

//# via+c++ self_relative: stdint.h
struct @rel { intptr_t off; };
static void *@f(void *p) {
    struct @rel r;
    r.off = (intptr_t)p - (intptr_t)&r;
    $[struct @rel *q = &r; return (void *)((intptr_t)q + q->off); :: return (char *)&r + r.off;]
}

//# via+c++ asm_tied
static void *@f(void *p) {
    void *q;
    $[__asm__("" : "=r"(q) : "0"(p)); :: __asm__ volatile("" : "=r"(q) : "0"(p)); :: q = p; __asm__("" : "+r"(q));]
    return q;
}

//# via+c++ table
static void *@table[4];
static void *@f(void *p) {
    for (int i = 0; i < 4; i++)
        @table[i] = $[0 :: &@table[i] :: (char *)p + i];
    @table[$k=[0..3]] = p;
    return @table[$k];
}

//# via+c++ by_value
struct @box { $[char c; :: int n[2]; :: double d; :: ] void *p; $[short s; :: ] };
static struct @box @make(void *p) {
    struct @box b;
    b.p = p;
    return b;
}
static void *@open(struct @box b) { return b.p; }
static void *@f(void *p) {
    struct @box b = @make(p);
    $[struct @box c = b; return @open(c); :: return @open(b); :: struct @box c[2]; c[1] = b; c[0] = c[1]; return @open(c[0]);]
}

//# via+c++ heap_cell: stdlib.h
static void *@f(void *p) {
    void **cell = (void **)malloc(sizeof *cell);
    *cell = p;
    $[cell = (void **)realloc(cell, 4 * sizeof *cell); :: ;]
    void *q = *cell;
    free(cell);
    return q;
}

//# via+c++ bytes_on_heap: stdlib.h string.h
static void *@f(void *p) {
    unsigned char *raw = (unsigned char *)$[malloc(16) :: calloc(16, 1) :: calloc(2, 8)];
    memcpy(raw + $k=[0..8], &p, sizeof p);
    void *q;
    memcpy(&q, raw + $k, sizeof q);
    free(raw);
    return q;
}

//# via+c++ variadic: stdarg.h
static void *@pick(int n, ...) {
    va_list list;
    va_start(list, n);
    void *p = 0;
    for (int i = 0; i <= n; i++)
        p = va_arg(list, void *);
    va_end(list);
    return p;
}
static void *@f(void *p) {
    return $[@pick(0, p) :: @pick(1, (void *)0, p) :: @pick(2, (void *)&p, (void *)0, p)];
}

//# via+c++ difference_of_elements: stdint.h
static uintptr_t @v[4];
static uintptr_t @sub(uintptr_t x, uintptr_t y) { return x - y; }
static void *@f(void *p) {
    @v[0] = (uintptr_t)p + $k=[4..40];
    @v[1] = $k;
    return (void *)$[(@v[0] - @v[1]) :: @sub(@v[0], @v[1])];
}

//# via+c++ floats_vector: string.h
typedef $[double :: float :: int :: long] @vec __attribute__((vector_size(16)));
static void *@f(void *p) {
    @vec v, w;
    void *in[2] = {p, p}, *out[2];
    memcpy(&v, in, 16);
    w = v;
    memcpy(out, &w, 16);
    return out[$[0 :: 1]];
}

//# via+c++ packed
struct __attribute__((packed)) @box { char c; void *p; };
static void *@f(void *p) {
    struct @box b[2];
    b[1].c = 1;
    b[1].p = p;
    b[0] = b[1];
    return b[0].p;
}

//# via+c++ split_halves: stdint.h
struct @halves { uint32_t low, high; };
static void *@f(void *p) {
    struct @halves h;
    h.low = (uint32_t)(uintptr_t)p;
    h.high = (uint32_t)((uintptr_t)p >> 32);
    return (void *)((uintptr_t)h.high << 32 | h.low);
}

//# via+c++ bit_field: stdint.h
struct @bits { uintptr_t low : 3, high : 61; };
static void *@f(void *p) {
    struct @bits b;
    b.low = (uintptr_t)p;
    b.high = (uintptr_t)p >> 3;
    return (void *)((uintptr_t)b.high << 3 | b.low);
}

//# via+c++ through_function_pointer
static void *@same(void *p) { return p; }
typedef void *(*@fn)(void *);
static void *@f(void *p) {
    @fn table[2] = {0, @same};
    void *raw = (void *)table[1];
    return ((@fn)raw)(p);
}

//# via+c++ twice
static void *@f(void *p) {
    return $via($via(p));
}
