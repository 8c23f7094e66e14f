//# value+c++ expression
static int @f(int a, int b) {
    int c = $expr(a, b);
    int d = $expr(a, b, c);
    return $expr(a, b, c, d) * $[1..5] - d;
}

//# value+c++ narrow
static int @f(int a, int b) {
    $t=[signed char :: unsigned char :: short :: unsigned short] x = ($t)(a * $[3..40]);
    x $[+= :: -= :: ^= :: |=] ($t)(b * $[3..40]);
    $[x++; :: x--; :: x = ($t)~x; :: x = ($t)-x;]
    return x;
}

//# value+c++ shifts
static int @f(int a, int b) {
    unsigned x = (unsigned)a * 0x01010101u;
    int n = b & 31;
    unsigned r = $[x << n | x >> (-n & 31) :: x >> n :: x << n :: (unsigned)((int)x >> n)];
    return (int)(r & 0xffff);
}

//# value+c++ bit_tricks
static int @f(int a, int b) {
    unsigned x = a * $[1..9] + b;
    $[x &= x - 1; :: x &= -x; :: x ^= x >> 1; :: x |= x >> 1; x |= x >> 2; x |= x >> 4; :: x = (x & 0x55) << 1 | (x >> 1 & 0x55);]
    return (int)x;
}

//# value+c++ builtins
static int @f(int a, int b) {
    unsigned x = a | 1, y = b | 2;
    return $[__builtin_popcount(x * y) :: __builtin_clz(x) :: __builtin_ctz(y) :: __builtin_parity(x + y) :: __builtin_ffs(b) :: (int)(__builtin_bswap32(x) >> 24) :: __builtin_bswap16(x) & 255 :: __builtin_clzll(x) - __builtin_ctzll(y) :: __builtin_abs(a - b) :: (int)__builtin_bitreverse8(x)];
}

//# value+c++ overflow
static int @f(int a, int b) {
    $t=[int :: unsigned char :: signed char :: long :: unsigned :: short] r;
    int o = __builtin_$[add :: sub :: mul]_overflow(a * $[1..7], b * $[1..7], &r);
    return o * 1000 + (int)r;
}

//# value+c++ bit_fields
struct @b { unsigned x : $[2..7]; $[int :: unsigned] y : $[3..9]; $[unsigned : 0; :: ] signed z : $[4..8]; };
static int @f(int a, int b) {
    struct @b s = {0};
    s.x = a;
    s.y = b;
    s.z = a - b;
    $[s.x++; :: s.y += s.x; :: s.z = -s.z; :: s.x ^= s.y;]
    return s.x + s.y * 3 + s.z * 5;
}

//# value+c++ floats
static int @f(int a, int b) {
    $t=[float :: double] x = a, y = b + 1;
    $t z = $[x * 0.5f + y :: x + y * 0.25f :: x - y :: x * y :: x / 4 + y / 2 :: -x + y * 2];
    if (z $[< :: > :: <= :: >=] $[0..9])
        z += $[1 :: 0.5f :: -2];
    return (int)(z * 4);
}

//# value+c++ float_compare
static int @f(int a, int b) {
    double x = a * 0.125, y = b * 0.25;
    int n = 0;
    n += x < y;
    n += 2 * (x == y);
    n += 4 * (x >= y);
    n += 8 * !(x > y);
    n += 16 * ($[(float)x == x :: -x < y :: (int)x == a / 8 :: x != y]);
    return n;
}

//# value+c++ float_bits: string.h
static int @f(int a, int b) {
    float x = (float)(a + 1);
    unsigned n;
    memcpy(&n, &x, sizeof n);
    $[n ^= 0x80000000u; :: n += 0x00800000u; :: n &= 0x7fffffffu; :: n |= 0;]
    memcpy(&x, &n, sizeof x);
    return (int)x + b;
}

//# value+c++ wide
static int @f(int a, int b) {
    $t=[long long :: unsigned long long :: __int128 :: unsigned __int128 :: long] x = a;
    x = (x << $[20..40]) + b;
    x $[* :: + :: ^ :: -]= $[3..99];
    return (int)((x >> $[0..30]) & 0xfff);
}

//# value+c++ divisions
static int @f(int a, int b) {
    int x = a - $[0..40], y = b + 1;
    return $[x / y :: x % y :: (x / y) * y + x % y :: x / -y :: (int)((unsigned)a / y) :: (int)((unsigned char)x % y)];
}

//# value+c++ boolean: stdbool.h
static int @f(int a, int b) {
    bool p = a & $[1..7], q = b > $[1..9];
    bool r = $[p && q :: p || q :: p != q :: !p :: p ^ q :: p > q];
    r |= $[q :: a == b :: 0];
    return r + 2 * p + 4 * (q ? a : b);
}

//# value+c++ long_double
static int @f(int a, int b) {
    long double x = a, y = b;
    return (int)($[x + y :: x * y :: x - y :: x * 2 + y :: x / 2]);
}

//# value+c++ enums
enum @e { @A = $[0..3], @B, @C = $[6..9], @D };
static int @f(int a, int b) {
    enum @e e = a % 4 == 0 ? @A : a % 4 == 1 ? @B : a % 4 == 2 ? @C : @D;
    switch (e) {
    case @A: return b;
    case @B: return b + 1;
    case @C: return b * 2;
    default: return e;
    }
}

//# value+c++ vector_numbers
typedef $t=[int :: short :: unsigned char :: unsigned] @vec __attribute__((vector_size($[16 :: 32])));
static @vec @global;
static int @f(int a, int b) {
    @vec v = {($t)a, ($t)b, 3, 4}, w = {1, 2, ($t)b, ($t)a}, *p = &@global;
    @global = v;
    $[v = v + w; :: v = v * w - 1; :: v[a & 3] = 9; :: v = (@vec)(v > w); :: v ^= w; :: v = w << 1;]
    $[*p = v; :: *p += v; :: (*p)[b & 3] = v[a & 3]; :: *p = *p - w;]
    return ((int)(*p)[0] + (int)(*p)[1] * 2 + (int)(*p)[2] * 3 + (int)v[3] * 5) & 0xffffff;
}

//# value+c++ shuffled
typedef $t=[int :: short :: float] @vec __attribute__((vector_size(4 * sizeof($t))));
static int @f(int a, int b) {
    @vec v = {($t)a, ($t)b, 3, 4}, *p = &v;
    $[v = __builtin_shufflevector(v, v, $[0..7], $[0..7], $[0..7], $[0..7]); :: *p = __builtin_shufflevector(*p, *p, $[0..3], $[0..3], $[0..3], $[0..3]); :: @vec w = v; v = __builtin_shufflevector(w, v, $[0..7], $[0..7], $[0..7], $[0..7]);]
    $[ :: v = __builtin_shufflevector(v, v, 3, 2, 1, 0); :: v = v + __builtin_shufflevector(v, v, 1, 0, 3, 2);]
    return (int)v[0] + (int)v[1] * 3 + (int)v[2] * 9 + (int)v[3] * 27;
}

//# value+c++ any_width
static int @f(int a, int b) {
    $[unsigned _BitInt($n=[130..250]) :: unsigned _BitInt($n=[20..128]) :: unsigned _BitInt($n=[65..200])] x = (unsigned)a, y = (unsigned)b + 1;
    $[x <<= $s=[10..18]; :: x = x << $s=[10..15] | y; :: x += y; x <<= $s=[1..9]; :: y = x ^ (y << $s=[1..12]); x = y;]
    $[x >>= $s; :: x = x >> 3; :: x = ~x; :: x -= y; :: x = x * 5;]
    return (int)(x & 0xffff) + (x > y);
}

//# value+c++ rotated
static int @f(int a, int b) {
    union { $[unsigned long l; unsigned w[2]; :: unsigned __int128 l; unsigned long w[2]; :: unsigned l; unsigned short w[2];] unsigned char c[2]; } u;
    u.l = 0;
    u.w[0] = a;
    u.w[1] = b;
    $[u.l = u.l << 4 * sizeof u.l | u.l >> 4 * sizeof u.l; :: u.l <<= 4 * sizeof u.l; :: u.l = u.l >> 3 ^ u.l; :: u.l = ~u.l; :: u.c[1] = u.c[0]; :: u.l = u.l * 3 + 1;]
    return (int)(u.w[0] & 255) * 3 + (int)(u.w[1] & 255);
}
