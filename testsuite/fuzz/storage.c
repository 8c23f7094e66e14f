//# value+c++ cells
static int @cells[4];
static int @f(int a, int b) {
    for (int i = 0; i < 4; i++)
        @cells[i] = i;
    int *p = (int *)$via(&@cells[a & 3]);
    *p += b;
    return @cells[0] * 1 + @cells[1] * 2 + @cells[2] * 3 + @cells[3] * 4;
}

//# value+c++ choose_target
static int @g = 3;
static int @f(int a, int b) {
    int x = a, y = b;
    int *p = a > $[1..5] ? &x : $[&y :: &@g];
    int *q = (int *)$via(p);
    *q = $expr(a, b);
    @g = 3;
    return x + 2 * y + 4 * *q;
}

//# value+c++ swapped_pair
static void @swap(void *x, void *y, unsigned long n) {
    char *p = (char *)x, *q = (char *)y;
    while (n--) {
        char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}
static int @f(int a, int b) {
    int x = a, y = b, *p = &x, *q = &y;
    if ($expr(a, b) > $[1..9])
        @swap(&p, &q, sizeof p);
    *p += 1;
    *(int *)$via(q) += 10;
    return x * 64 + y;
}

//# value+c++ struct_copy
struct @s { char c; short h; int i; $[long l; :: double d; :: ] int *p; };
static int @f(int a, int b) {
    struct @s s[3] = {0};
    int n = b;
    s[0].c = a; s[0].h = b; s[0].i = a + b; s[0].p = &n;
    s[1] = s[0];
    struct @s *t = (struct @s *)$via(&s[2]);
    *t = s[a & 1];
    *t->p += t->i;
    return n + s[2].c + s[1].h;
}

//# value+c++ copy_length: string.h
static int @f(int a, int b) {
    unsigned char from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    from[b & 7] = 9;
    $[memcpy :: memmove](to, from, $[a & 7 :: b & 7 :: 8 - (a & 7) :: 5]);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += to[i];
    return sum;
}

//# value+c++ move_overlap: string.h
static int @f(int a, int b) {
    char text[12] = "abcdefghij";
    text[b & 3] = 'A' + (a & 7);
    memmove(text + $[1 :: 2 :: (a & 3)], text + $[0 :: 3], $[4 :: 1 + (b & 3)]);
    return text[$[0..5]] + text[$[2..6]];
}

//# value+c++ fill: string.h
static int @f(int a, int b) {
    $t=[int :: short :: char :: long] x[4] = {1, 2, 3, 4};
    memset(x + (a & 1), $[0 :: 1 :: b & 3 :: -1], $[sizeof *x :: 2 * sizeof *x :: (b & 3) * sizeof *x]);
    return (int)(x[0] + 2 * x[1] + 3 * x[2] - x[3]) & 0xfffff;
}

//# value+c++ grow: stdlib.h
static int @f(int a, int b) {
    int n = 1 + (a & 3), sum = 0;
    int *p = (int *)malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = b + i;
    p = (int *)realloc(p, (n + $[1..3]) * sizeof *p);
    p[n] = 7;
    for (int i = 0; i <= n; i++)
        sum += p[i];
    free(p);
    return sum;
}

//# value+c++ shrink: stdlib.h
static int @f(int a, int b) {
    int *p = (int *)calloc(4, sizeof *p), sum = 0;
    p[a & 3] = b;
    p = (int *)realloc(p, (2 + (b & 1)) * sizeof *p);
    for (int i = 0; i < 2; i++)
        sum += p[i] * (i + 1);
    free(p);
    return sum;
}

//# value+c++ globals
static int @x = $[0..9], @y = $[0..9];
static int *@p = &@x, **@q = &@p;
static struct { int n; int *at; const char *text; } @rows[] = {{1, &@x, "one"}, {2, &@y, "two"}, {3, 0, "three"}};
static int @f(int a, int b) {
    @x = a;
    @y = b;
    if (a > b)
        @p = &@y;
    else
        @p = @rows[0].at;
    **@q += @rows[1].n;
    return @x * 8 + @y + @rows[a % 3].text[b % 3];
}

//# value+c++ matrix
static int @f(int a, int b) {
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    int (*row)[3] = m + a % 3;
    int *flat = (int *)$via(&m[0][0]);
    (*row)[b % 3] = $expr(a, b);
    int sum = 0;
    for (int i = 0; i < 9; i += $[1 :: 2 :: 4])
        sum += flat[i];
    return sum;
}

//# value+c++ pointer_to_pointer
static int @f(int a, int b) {
    int x = a, y = b;
    int *p = &x, *q = &y, **pp = &p;
    if (a & 1)
        pp = &q;
    *pp = (int *)$via(a > b ? &x : &y);
    **pp = 5;
    return x * 10 + y + *p + *q;
}

//# value+c++ punned: string.h
static int @f(int a, int b) {
    union { int i; unsigned char c[4]; short s[2]; } u;
    u.i = a * 257 + b;
    $[u.c[0] ^= 1; :: u.s[1] = b; :: u.c[a & 3] = 7; :: u.c[3] = 0;]
    return u.i & 0xffff;
}

//# value+c++ end_pointer
static int @f(int a, int b) {
    int row[5] = {a, b, 3, 4, 5}, sum = 0;
    int *end = row + $[3..5];
    for (int *p = row; p $[!= :: <] end; p++)
        sum = sum * 3 + *p;
    return sum + (int)(end - row);
}

//# value+c++ offset_of: stddef.h
struct @node { int key; struct { short x, y; } at; int value; };
static int @f(int a, int b) {
    struct @node n = {a, {1, 2}, b};
    int *v = (int *)$via(&n.value);
    struct @node *back = (struct @node *)((char *)v - offsetof(struct @node, value));
    back->key += back->at.y;
    return n.key * 2 + n.value;
}
