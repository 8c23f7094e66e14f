//# via+c++ bit_by_bit: stdint.h
static void *@f(void *p) {
    uintptr_t n = (uintptr_t)p, m = 0;
    for (int i = 0; i < 64; i++)
        if (n >> i & 1)
            $[m |= (uintptr_t)1 << i; :: m += (uintptr_t)1 << i; :: m ^= (uintptr_t)1 << i;]
    return (void *)m;
}

//# via+c++ byte_by_byte: stdint.h
static void *@f(void *p) {
    uintptr_t n = (uintptr_t)p, m = 0;
    for (int i = 0; i < $[8 :: 8]; i++)
        m |= (n >> 8 * i & 255) << 8 * i;
    return (void *)m;
}

//# via+c++ table_of_bytes: stdint.h
static unsigned char @table[256];
static void *@f(void *p) {
    for (int i = 0; i < 256; i++)
        @table[i] = (unsigned char)$[i :: (i ^ $k=[1..200])];
    union { void *p; unsigned char c[8]; } x, y;
    x.p = p;
    for (int i = 0; i < 8; i++)
        y.c[i] = @table[$[x.c[i] :: @table[@table[@table[x.c[i]]]]]];
    for (int i = 0; i < 8; i++)
        y.c[i] = y.c[i] == x.c[i] ? y.c[i] : @table[y.c[i]];
    return y.p;
}

//# via+c++ product: stdint.h
static void *@f(void *p) {
    uintptr_t n = (uintptr_t)p;
    $[n = n / 16 * 16 + n % 16; :: n = n * 3 / 3; :: n *= 5; n /= 5; :: n = n % 0x800000000000; :: n = (n << 16) / 65536;]
    return (void *)n;
}

//# via+c++ chosen_by_arithmetic: stdint.h
static int @other;
static void *@f(void *p) {
    uintptr_t x = (uintptr_t)&@other, y = (uintptr_t)p;
    uintptr_t one = $[@other + 1 :: @other == 0 :: 1];
    return (void *)$[(x + one * (y - x)) :: (x ^ ((x ^ y) & -one)) :: (x * !one + y * one)];
}

//# via+c++ wide_integer: stdint.h
static void *@f(void *p) {
    $[unsigned __int128 :: __int128] n = (uintptr_t)p;
    n = $[n << 64 >> 64 :: n * 2 / 2 :: (n << 32) >> 32 :: n + ((unsigned __int128)7 << 64)];
    return (void *)(uintptr_t)n;
}

//# via+c++ atomic
static void *@cell;
static void *@f(void *p) {
    $[__atomic_store_n(&@cell, p, __ATOMIC_SEQ_CST); :: @cell = 0; __sync_bool_compare_and_swap(&@cell, (void *)0, p); :: (void)__atomic_exchange_n(&@cell, p, __ATOMIC_SEQ_CST); :: (void)__sync_lock_test_and_set(&@cell, p);]
    return $[@cell :: __atomic_load_n(&@cell, __ATOMIC_ACQUIRE) :: __atomic_exchange_n(&@cell, (void *)0, __ATOMIC_RELAXED)];
}

//# via+c++ added_atomically: stdint.h
static uintptr_t @cell;
static void *@f(void *p) {
    @cell = 0;
    $[__atomic_fetch_add(&@cell, (uintptr_t)p, __ATOMIC_SEQ_CST); :: __sync_fetch_and_or(&@cell, (uintptr_t)p); :: __sync_fetch_and_xor(&@cell, (uintptr_t)p);]
    return (void *)@cell;
}

//# via+c++ volatile_cell
static void *@f(void *p) {
    void *volatile cell = p;
    volatile unsigned long n = (unsigned long)cell;
    return $[cell :: (void *)n];
}

//# via+c++ of_this_thread
static $[__thread :: _Thread_local :: static __thread] void *@cell;
static void *@f(void *p) {
    @cell = p;
    return @cell;
}

//# via+c++ text: stdio.h stdlib.h
static void *@f(void *p) {
    char text[40];
    void *q = 0;
    $[snprintf(text, sizeof text, "%p", p); sscanf(text, "%p", &q); :: snprintf(text, sizeof text, "%lu", (unsigned long)p); q = (void *)strtoul(text, 0, 10); :: sprintf(text, "%lx", (unsigned long)p); q = (void *)strtoul(text, 0, 16);]
    return q;
}

//# via+c++ pipe: unistd.h
static void *@f(void *p) {
    int ends[2];
    void *q = 0;
    __VERIFIER_assume(pipe(ends) == 0 && write(ends[1], &p, sizeof p) == sizeof p);
    __VERIFIER_assume(read(ends[0], &q, sizeof q) == sizeof q);
    close(ends[0]);
    close(ends[1]);
    return q;
}

//# via+c++ file: stdio.h
static void *@f(void *p) {
    void *q = 0;
    FILE *file = tmpfile();
    __VERIFIER_assume(file != 0);
    __VERIFIER_assume(fwrite(&p, sizeof p, 1, file) == 1);
    rewind(file);
    __VERIFIER_assume(fread(&q, sizeof q, 1, file) == 1);
    fclose(file);
    return q;
}

//# via+c++ sorted: stdlib.h stdint.h
static int @order(const void *x, const void *y) {
    uintptr_t p = *(const uintptr_t *)x, q = *(const uintptr_t *)y;
    return (p > q) - (p < q);
}
static void *@f(void *p) {
    void *row[3] = {0, p, (void *)1};
    qsort(row, 3, sizeof *row, @order);
    return row[2];
}

//# via+c++ found: stdlib.h string.h
static int @order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
struct @row { int key; void *p; };
static void *@f(void *p) {
    struct @row rows[3] = {{1, 0}, {4, p}, {9, &rows}};
    int key = 4;
    struct @row *hit = (struct @row *)bsearch(&key, rows, 3, sizeof *rows, @order);
    return hit ? hit->p : 0;
}

//# via+c++ equal_address: stdint.h
static void *@f(void *p) {
    static void *seen[4];
    static int count;
    uintptr_t n = (uintptr_t)p;
    count = 0;
    seen[count++] = 0;
    seen[count++] = p;
    for (int i = 0; i < count; i++)
        if ((uintptr_t)seen[i] == n)
            return seen[i];
    return 0;
}

//# via+c++ address_hash: stdint.h
static void *@slots[8];
static void *@f(void *p) {
    unsigned h = ((uintptr_t)p >> $[2..5]) & 7;
    for (int i = 0; i < 8; i++)
        @slots[i] = 0;
    @slots[h] = p;
    return @slots[((uintptr_t)p >> $[2 :: 5 :: 9]) & 7] ? @slots[h] : @slots[h ^ 0];
}

//# via+c++ last_byte: string.h
static void *@f(void *p) {
    char text[8] = "x*y";
    void *q = 0;
    void **at = strchr(text, '*') ? &q : 0;
    memcpy(at, &p, sizeof p);
    return $[q :: *(void **)memchr(&q, *(unsigned char *)&p, 1)];
}

//# via+c++ overlapped: string.h
static void *@f(void *p) {
    char raw[24];
    memset(raw, 0, sizeof raw);
    memcpy(raw + 4, &p, sizeof p);
    memmove(raw + $k=[0..12], raw + 4, sizeof p);
    void *q;
    memcpy(&q, raw + $k, sizeof q);
    return q;
}

//# via+c++ of_any_length: string.h
static unsigned long @size = sizeof(void *);
static void *@f(void *p) {
    void *q = 0;
    $[memcpy(&q, &p, @size); :: for (unsigned long i = 0; i < @size; i++) ((char *)&q)[i] = ((char *)&p)[i]; :: memmove(&q, &p, @size);]
    return q;
}

//# via+c++ vararg_struct: stdarg.h
struct @two { void *p; long n; };
static void *@pick(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    $[(void)va_arg(copy, int); struct @two t = va_arg(copy, struct @two); :: (void)va_arg(list, int); struct @two t = va_arg(list, struct @two);]
    va_end(copy);
    va_end(list);
    return t.p;
}
static void *@f(void *p) {
    struct @two t = {p, 5};
    return @pick(1, 2, t);
}

//# via+c++ long_way
struct @cell { struct @cell *next; void *p; };
static void *@f(void *p) {
    struct @cell c[4];
    for (int i = 0; i < 4; i++) {
        c[i].next = &c[(i + 1) % 4];
        c[i].p = i == $[0..3] ? p : 0;
    }
    struct @cell *at = c;
    while (!at->p)
        at = at->next;
    return at->p;
}

//# via+c++ half_and_half: stdint.h
static uint32_t @high;
static uint16_t @low[2];
static void *@f(void *p) {
    uintptr_t n = (uintptr_t)p;
    @high = (uint32_t)(n >> 32);
    @low[1] = (uint16_t)(n >> 16);
    @low[0] = (uint16_t)n;
    n = @high;
    n = n << 16 | @low[1];
    n = n << 16 | @low[0];
    return (void *)n;
}

//# via+c++ complex_number: string.h
static void *@f(void *p) {
    _Complex $[double :: float] z;
    void *q = 0;
    memset(&z, 0, sizeof z);
    memcpy((char *)&z, &p, sizeof p);
    $[_Complex double w; memset(&w, 0, sizeof w); memcpy(&w, &z, 8); :: char w[16]; memcpy(w, &z, 8);]
    memcpy(&q, &w, sizeof q);
    return q;
}

//# via+c++ recursion
static void *@down(void *p, int n) { return n ? @down((char *)p + 1, n - 1) : p; }
static void *@f(void *p) {
    return (char *)@down(p, $k=[1..5]) - $k;
}

//# via+c++ negative_index
static void *@f(void *p) {
    char *q = (char *)p;
    long i = -$k=[1..20];
    q = &q[i];
    return q - i;
}

//# via+c++ function_in_data: string.h
static void *@same(void *p) { return p; }
static void *@f(void *p) {
    void *(*g)(void *) = @same;
    unsigned char raw[sizeof g];
    memcpy(raw, &g, sizeof g);
    void *(*h)(void *);
    memcpy(&h, raw, sizeof h);
    return h(p);
}
