//# value+c++ linear_search: search.h stdlib.h
static int @calls;
static int @same(const void *x, const void *y) { @calls++; return *(const int *)x != *(const int *)y; }
static int @f(int a, int b) {
    int row[4] = {$[3..9], a, 5, b};
    size_t n = 3;
    @calls = 0;
    int *hit = (int *)$[lfind :: lsearch](&b, row, &n, sizeof *row, @same);
    return (hit ? (int)(hit - row) : 9) * 16 + @calls * 4 + (int)n;
}

//# value+c++ own_thread: pthread.h
static int @n;
static void *@work(void *p) { @n += *(int *)p; return p; }
static int @f(int a, int b) {
    pthread_t t;
    void *result = 0;
    @n = b;
    __VERIFIER_assume(pthread_create(&t, 0, @work, &a) == 0);
    pthread_join(t, &result);
    return @n * 2 + *(int *)result;
}

//# value+c++ once_only: pthread.h
static pthread_once_t @once = PTHREAD_ONCE_INIT;
static int @n = $[1..9];
static void @init(void) { @n *= 2; }
static int @f(int a, int b) {
    pthread_once(&@once, @init);
    $[pthread_once(&@once, @init); :: ]
    return @n + (a ^ b);
}

//# value once_of_c11: threads.h
static once_flag @once = ONCE_FLAG_INIT;
static int @n = $[1..9];
static void @init(void) { @n *= 3; }
static int @f(int a, int b) {
    call_once(&@once, @init);
    return @n + (a & b);
}

//# value+c++ raised: signal.h
static volatile sig_atomic_t @seen;
static void @handle(int n) { @seen += n == SIGUSR1 ? 5 : 1; }
static int @f(int a, int b) {
    @seen = b;
    signal(SIGUSR1, @handle);
    $[raise(SIGUSR1); :: if (a > $[1..5]) raise(SIGUSR1);]
    return @seen * 2 + a;
}

//# value+c++ sorted_pointers: stdlib.h string.h
static int @order(const void *x, const void *y) { return **(int *const *)x - **(int *const *)y; }
static int @f(int a, int b) {
    int v[3] = {a, $[1..9], b}, *row[3] = {&v[0], &v[1], &v[2]};
    qsort(row, 3, sizeof *row, @order);
    *row[0] += 100;
    *row[2] -= 1;
    return v[0] + v[1] * 3 + v[2] * 5;
}

//# value+c++ sorted_structs: stdlib.h
struct @row { char name[3]; short key; int *at; };
static int @order(const void *x, const void *y) { return ((const struct @row *)x)->key - ((const struct @row *)y)->key; }
static int @f(int a, int b) {
    int n = 0;
    struct @row rows[3] = {{"a", (short)a, &n}, {"b", (short)b, &a}, {"c", $[1..9], &b}};
    qsort(rows, 3, sizeof *rows, @order);
    *rows[0].at += 7;
    return rows[1].name[0] + n * 2 + a * 3 + b;
}

//# value sorted_with_state: stdlib.h
#define _GNU_SOURCE 1
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
static int @order(const void *x, const void *y, void *state) {
    *(int *)state |= 1;
    return *(const int *)x - *(const int *)y;
}
static int @f(int a, int b) {
    int row[3] = {b, a, 4}, state = 0;
    qsort_r(row, 3, sizeof *row, @order, &state);
    return row[0] * 8 + row[2] + state;
}

//# value+c++ walked_tree: search.h stdlib.h
static int @order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static int @freed;
static int @f(int a, int b) {
    int keys[3] = {4, a, b};
    void *root = 0;
    for (int i = 0; i < 3; i++)
        tsearch(&keys[i], &root, @order);
    int *const *hit = (int *const *)tfind(&keys[2], &root, @order);
    int at = (int)(*hit - keys);
    while (root)
        tdelete(*(int **)root, &root, @order), @freed++;
    return at * 8 + (@freed & 7);
}

//# value+c++ visitor
struct @visitor { int (*enter)(struct @visitor *, int); void (*leave)(struct @visitor *); int depth, sum; };
static int @enter(struct @visitor *v, int n) { v->depth++; v->sum += n * v->depth; return n > $[2..9]; }
static void @leave(struct @visitor *v) { v->depth--; }
static void @walk(struct @visitor *v, int n) {
    if (n > 0 && v->enter(v, n)) {
        @walk(v, n / 2);
        @walk(v, n / 3);
    }
    if (v->depth)
        v->leave(v);
}
static int @f(int a, int b) {
    struct @visitor v = {@enter, @leave, 0, b};
    @walk((struct @visitor *)$via(&v), a & 15);
    return v.sum * 2 + v.depth;
}

//# value+c++ registered
typedef void (*@hook)(int *);
static @hook @hooks[3];
static int @count;
static void @register(@hook h) { @hooks[@count++ % 3] = h; }
static void @add(int *n) { *n += $[1..9]; }
static void @double(int *n) { *n *= 2; }
static int @f(int a, int b) {
    int n = a;
    @count = 0;
    @register(@add);
    @register(b & 1 ? @double : @add);
    if (a > b)
        @register(@double);
    for (int i = 0; i < @count; i++)
        @hooks[i](&n);
    return n;
}

//# value+c++ machine
struct @m { int n; void *(*state)(struct @m *); };
static void *@two(struct @m *m);
static void *@one(struct @m *m) { m->n += 3; return m->n > $[9..30] ? 0 : (void *)@two; }
static void *@two(struct @m *m) { m->n ^= 1; return (void *)@one; }
static int @f(int a, int b) {
    struct @m m = {a & 31, b & 1 ? @one : @two};
    for (int i = 0; i < 6 && m.state; i++)
        m.state = (void *(*)(struct @m *))m.state(&m);
    return m.n * 2 + !m.state;
}
