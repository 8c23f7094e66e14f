// Classes: constructors, destructors and their order, copies and moves, operators, references, static members.
#include "check.h"
#include <utility>

static unsigned trail;
static void note(unsigned mark) { trail = trail * 31 + mark; }

class Noisy {
    int id;

public:
    static int alive;
    explicit Noisy(int id = 1) : id(id) { alive++, note(1 + id); }
    Noisy(const Noisy &other) : id(other.id + 100) { alive++, note(2); }
    Noisy(Noisy &&other) noexcept : id(std::exchange(other.id, -1)) { alive++, note(3); }
    Noisy &operator=(const Noisy &other) { return id = other.id + 200, note(4), *this; }
    Noisy &operator=(Noisy &&other) noexcept { return std::swap(id, other.id), note(5), *this; }
    ~Noisy() { alive--, note(6 + static_cast<unsigned>(id)); }
    int get() const { return id; }
};
int Noisy::alive;

static Noisy global(40);

struct Matrix {
    int a, b, c, d;
    Matrix operator*(const Matrix &o) const { return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d}; }
    friend bool operator==(const Matrix &x, const Matrix &y) { return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d; }
    int &operator[](int i) { return i == 0 ? a : i == 1 ? b : i == 2 ? c : d; }
    Matrix &operator+=(int k) { return a += k, d += k, *this; }
    Matrix operator-() const { return {-a, -b, -c, -d}; }
    Matrix &operator++() { return *this += 1; }
    Matrix operator++(int) { Matrix old = *this; ++*this; return old; }
    explicit operator bool() const { return a || b || c || d; }
    int operator()(int x, int y) const { return a * x + b * y; }
};

static Matrix power(Matrix m, unsigned n) {
    Matrix r{1, 0, 0, 1};
    for (; n; n >>= 1, m = m * m)
        if (n & 1)
            r = r * m;
    return r;
}

static Noisy pass(Noisy n) { return n; }
static const Noisy &larger(const Noisy &a, const Noisy &b) { return a.get() < b.get() ? b : a; }
static void swap_by_reference(int &a, int &b) { int t = a; a = b; b = t; }
static int overloaded(int) { return 1; }
static int overloaded(double) { return 2; }
static int overloaded(const char *, int extra = 7) { return extra; }

struct Counter {
    int hits = 0;
    Counter &hit() { hits++; return *this; }
    int measure() & { return 1; }
    int measure() && { return 2; }
    mutable int reads = 0;
    int read() const { return ++reads + hits; }
};

static Counter &lazy() {
    static Counter counter;
    static Noisy guard(50);
    return counter.hit();
}

int main() {
    int n = static_cast<int>(input() & 0xFFFF);
    {
        Noisy a(n), b = a, c = std::move(a);
        b = c;
        c = Noisy(3);
        Noisy d = pass(b);
        const Noisy &kept = Noisy(7);
        note(static_cast<unsigned>(larger(d, kept).get()));
        Noisy array[3] = {Noisy(10), Noisy(11), Noisy(12)};
        if (n & 1)
            goto out;
        note(77);
    out:
        note(static_cast<unsigned>(array[2].get()));
    }
    result(trail), result(static_cast<unsigned>(Noisy::alive));
    Matrix fib = power({1, 1, 1, 0}, static_cast<unsigned>(n) % 20);
    result(static_cast<unsigned>(fib.b)), result(fib == power({1, 1, 1, 0}, 5));
    fib[2] = n, fib += 3;
    Matrix before = fib++;
    result(static_cast<unsigned>((-fib)[0])), result(static_cast<unsigned>(before(2, 3))), result(fib ? 1 : 0);
    int x = n, y = 5;
    swap_by_reference(x, y);
    int &alias = n & 1 ? x : y;
    alias *= 2;
    result(static_cast<unsigned>(x * 1000 + y));
    result(static_cast<unsigned>(overloaded(1) + overloaded(1.0) * 10 + overloaded("x") * 100));
    Counter c;
    c.hit().hit();
    result(static_cast<unsigned>(c.read() + c.measure() * 10 + Counter().measure() * 100));
    lazy(), lazy();
    result(static_cast<unsigned>(lazy().hits)), result(trail);
    Noisy *heap = new Noisy(n), *many = new Noisy[3];
    delete heap;
    delete[] many;
    result(trail);
    int Counter::*member = &Counter::hits;
    int (Counter::*method)() const = &Counter::read;
    c.*member += 5;
    result(static_cast<unsigned>((c.*method)()));
}
