//# value virtual_calls
struct @base {
    int n;
    @base(int n) : n(n) {}
    virtual ~@base() {}
    virtual int get() const { return n; }
    virtual void add(int x) { n += x; }
};
struct @left : @base {
    using @base::@base;
    int get() const override { return n * 2; }
};
struct @right : @base {
    int m = $[1..5];
    @right(int n) : @base(n + 1) {}
    void add(int x) override { m += x; }
    int get() const override { return n + m; }
};
static int @f(int a, int b) {
    @left l(a);
    @right r(b);
    @base *p = a > $[1..5] ? (@base *)&l : &r;
    p = (@base *)$via(p);
    p->add($[1..3]);
    return p->get() * 4 + l.get() + r.get();
}

//# value on_heap
struct @animal { virtual int legs() const = 0; virtual ~@animal() { count--; } static int count; };
int @animal::count = 0;
struct @cat : @animal { int legs() const override { return 4; } @cat() { count++; } };
struct @bird : @animal { int wings; @bird(int w) : wings(w) { count++; } int legs() const override { return wings; } };
static int @f(int a, int b) {
    @animal *zoo[2] = {new @cat, nullptr};
    zoo[1] = a > b ? static_cast<@animal *>(new @bird(a)) : new @cat;
    int n = zoo[0]->legs() * 8 + zoo[1]->legs();
    $[n += dynamic_cast<@bird *>(zoo[1]) ? 64 : 0; :: n += @animal::count * 64; :: ]
    delete zoo[1];
    delete zoo[0];
    return n * 2 + @animal::count;
}

//# value thrown: stdexcept
struct @error { int code; };
static int @risky(int a, int b) {
    if (a > $[2..6])
        throw $[@error{b} :: a :: std::runtime_error("bad") :: std::out_of_range("far")];
    return a + b;
}
static int @f(int a, int b) {
    try {
        return @risky(a, b);
    } catch (const @error &e) {
        return 100 + e.code;
    } catch (int n) {
        return 200 + n;
    } catch (const std::$[exception :: logic_error] &e) {
        return 300 + e.what()[0];
    } catch (...) {
        return 400;
    }
}

//# value unwound
struct @guard { int &n; @guard(int &n) : n(n) { n += 1; } ~@guard() { n *= 2; } };
static int @deep(int depth, int &n, int b) {
    @guard g(n);
    if (depth == 0) {
        if (b & 1)
            throw $[5 :: 'c' :: 2.5];
        return n;
    }
    return @deep(depth - 1, n, b) + 1;
}
static int @f(int a, int b) {
    int n = 0, r = 0;
    try {
        r = @deep(a % 3, n, b);
    } catch ($[int :: char :: double]) {
        r = 50;
        $[ :: try { throw; } catch (...) { r++; }]
    } catch (...) {
        r = 70;
    }
    return r * 8 + n;
}

//# value library_exceptions: vector string stdexcept
static int @f(int a, int b) {
    std::vector<int> v{1, 2, 3};
    try {
        $[return v.at(a) + b; :: std::string s = "abc"; return s.at(a) + b; :: return std::stoi(a > 3 ? "x" : "7") + b;]
    } catch (const std::$[out_of_range :: exception :: invalid_argument] &) {
        return 99;
    } catch (...) {
        return 77;
    }
}

//# value lambdas
template <typename F> static int @twice(F f, int x) { return f(f(x)); }
static int @f(int a, int b) {
    int calls = 0;
    auto g = [$[& :: &calls, b]](int x) { calls++; return (x + b) & 31; };
    auto h = [n = a]() mutable { return n++; };
    return @twice(g, a) * 8 + calls + h() + h();
}

//# value templates
template <int N> struct @fact { static constexpr int value = N * @fact<N - 1>::value; };
template <> struct @fact<0> { static constexpr int value = 1; };
template <typename T, int N> struct @ring {
    T items[N] = {};
    int next = 0;
    void put(T v) { items[next++ % N] = v; }
    T sum() const { T s = 0; for (const T &v : items) s += v; return s; }
};
template <typename... T> static int @total(T... v) { return (0 + ... + (int)v); }
static int @f(int a, int b) {
    @ring<$[int :: short :: double], $[2..3]> r;
    r.put(a);
    r.put(b);
    r.put(4);
    return @fact<$[2..4]>::value + (int)r.sum() * 2 + @total(a, 2.5, 'a');
}

//# value moves: utility
struct @own {
    int *p;
    explicit @own(int v) : p(new int(v)) {}
    @own(const @own &o) : p(new int(*o.p + 1)) {}
    @own(@own &&o) noexcept : p(o.p) { o.p = nullptr; }
    @own &operator=(@own o) { std::swap(p, o.p); return *this; }
    ~@own() { delete p; }
    int get() const { return p ? *p : $[33 :: 60]; }
};
static int @f(int a, int b) {
    @own x(a), y(b);
    $[x = y; :: x = std::move(y); :: @own z = x; y = z; :: @own z = std::move(x); y = z; :: @own z[2] = {x, std::move(y)}; x = z[1];]
    return x.get() * 4 + y.get();
}

//# value operators
struct @vec {
    int x, y;
    @vec operator+(const @vec &o) const { return {x + o.x, y + o.y}; }
    @vec &operator*=(int n) { x *= n; y *= n; return *this; }
    bool operator==(const @vec &o) const { return x == o.x && y == o.y; }
    int operator[](int i) const { return i ? y : x; }
    explicit operator bool() const { return x || y; }
};
static int @f(int a, int b) {
    @vec u{a, b}, v{b, 1};
    auto w = u + v;
    w *= $[2..3];
    return w[a & 1] * 4 + (u == v) + (u ? 2 : 0);
}

//# value multiple_bases
struct @a { int x = 1; virtual int fa() { return x; } virtual ~@a() {} };
struct @b { int y = 2; virtual int fb() { return y; } virtual ~@b() {} };
struct @c : $[ :: virtual] @a, $[ :: virtual] @b { int z; @c(int z) : z(z) {} int fb() override { return y + z; } };
static int @f(int a, int b) {
    @c c(a);
    @a *pa = &c;
    @b *pb = &c;
    pa->x = b;
    $[pb = dynamic_cast<@b *>(pa); :: pb->y += 3; :: pb = (@b *)$via(pb);]
    return pa->fa() * 8 + pb->fb();
}

//# value members
struct @s { int x, y; int sum() const { return x + y; } int diff() const { return x - y; } };
static int @f(int a, int b) {
    @s s{a, b};
    int @s::*field = a & 1 ? &@s::x : &@s::y;
    int (@s::*method)() const = b > 2 ? &@s::sum : &@s::diff;
    s.*field += $[1..9];
    return (s.*method)() + (&s)->*field;
}

//# value initialised
struct @log { static int n; int id; @log() : id(++n) {} ~@log() { n += 10; } };
int @log::n = $[0..3];
static @log @global;
static int @once(int a) {
    static int n = a + $[1..4];
    return n++;
}
static int @f(int a, int b) {
    { @log local; $[@log more; :: ] }
    return @log::n * 8 + @global.id + @once(a) + @once(b);
}

//# value references
static int &@pick(int &x, int &y, bool first) { return first ? x : y; }
static int @f(int a, int b) {
    int x = a, y = b;
    @pick(x, y, a > b) += $[2..9];
    const int &r = $[x :: a + b :: y];
    y ^= 1;
    return x * 4 + y + r;
}

//# value placement: new
struct @t { int v; @t(int v) : v(v) {} ~@t() { v = 0; } };
static int @f(int a, int b) {
    alignas(8) unsigned char space[2 * sizeof(@t)];
    @t *p = new (space + $[0 :: 4]) @t(a);
    int n = p->v * 4 + b;
    p->~@t();
    $[p = new @t[2]{b, a}; n += p[1].v; delete[] p; :: p = ::new (space) @t(3); n += p->v;]
    return n;
}

//# value casts: cstdint
struct @base { int x; };
struct @derived : @base { int y; };
static int @f(int a, int b) {
    @derived d;
    d.x = a;
    d.y = b;
    @base *p = &d;
    auto n = reinterpret_cast<std::uintptr_t>(p);
    auto *q = static_cast<@derived *>(reinterpret_cast<@base *>(n));
    q->y += $[1..5];
    return const_cast<const @derived *>(q)->y * 4 + d.x;
}

//# value coroutine_like
class @counter {
    int n, step;
public:
    @counter(int n, int step) : n(n), step(step) {}
    struct it { int v, step; int operator*() const { return v; } it &operator++() { v += step; return *this; } bool operator!=(const it &o) const { return v < o.v; } };
    it begin() const { return {0, step}; }
    it end() const { return {n, step}; }
};
static int @f(int a, int b) {
    int sum = 0;
    for (int v : @counter(1 + a % 6, 1 + (b & 1)))
        sum = sum * 2 + v;
    return sum;
}
