// Templates: functions, classes, specialisations, variadic ones, constexpr, lambdas, range loops.
#include "check.h"

template <typename T> T largest(T a, T b) { return a < b ? b : a; }
template <> const char *largest(const char *a, const char *) { return a; }
template <typename T> T sum() { return T(); }
template <typename T, typename... Rest> T sum(T first, Rest... rest) { return first + sum<T>(static_cast<T>(rest)...); }
template <typename... T> constexpr unsigned count_of(T...) { return sizeof...(T); }

template <typename T, unsigned N> class Stack {
    T items[N];
    unsigned used = 0;

public:
    bool push(const T &x) { return used < N ? items[used++] = x, true : false; }
    T pop() { return items[--used]; }
    unsigned size() const { return used; }
    T *begin() { return items; }
    T *end() { return items + used; }
    template <typename F> unsigned count(F f) { unsigned c = 0; for (auto &x : *this) c += f(x) ? 1 : 0; return c; }
};

template <unsigned N> struct Factorial { static constexpr unsigned value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr unsigned value = 1; };
constexpr unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
template <typename T> struct Size { static unsigned get() { return sizeof(T); } };
template <typename T> struct Size<T *> { static unsigned get() { return 1000; } };

// The base calls into what derives from it, without virtual functions.
template <typename D> struct Printable { unsigned twice() { return static_cast<D *>(this)->code() * 2; } };
struct Letter : Printable<Letter> { char c = 'x'; unsigned code() { return static_cast<unsigned>(c); } };

template <typename T> struct Pair { T a, b; template <typename U> Pair<U> as() const { return {static_cast<U>(a), static_cast<U>(b)}; } };
template <typename T> Pair(T, T) -> Pair<T>;

template <typename T> unsigned describe(T x) {
    if constexpr (sizeof(T) == 1)
        return 1;
    else
        return static_cast<unsigned>(x) + 2;
}

template <typename F> auto compose(F f, int times) {
    return [=](int x) { for (int i = 0; i < times; i++) x = f(x); return x; };
}

int main() {
    int n = static_cast<int>(input() & 0xFFFF);
    result(static_cast<unsigned>(largest(n, 100))), result_double(largest(1.5, n * 0.5)), result(static_cast<unsigned>(*largest("a", "b")));
    result(static_cast<unsigned>(sum(n, 2, 3, 4L))), result(count_of(1, 'a', 2.0));
    Stack<int, 4> s;
    for (int i = 0; i < 6; i++)
        result(s.push(i * n));
    int bound = 3 * n;
    result(s.count([&](int x) { return x < bound; })), result(static_cast<unsigned>(s.pop())), result(s.size());
    Stack<Pair<char>, 2> pairs;
    pairs.push({'a', static_cast<char>(n)});
    result(static_cast<unsigned>(pairs.pop().as<int>().a));
    result(Factorial<10>::value), result(fibonacci(static_cast<unsigned>(n) % 12));
    constexpr unsigned known = fibonacci(15);
    static_assert(known == 610);
    result(Size<int>::get() + Size<char *>::get()), result(Letter().twice()), result(describe('x') + describe(n));
    auto [a, b] = Pair{n, n + 1};
    result(static_cast<unsigned>(a * b));
    auto shift = compose([](int x) { return x * 3 + 1; }, n % 7);
    result(static_cast<unsigned>(shift(2)));
    int calls = 0;
    auto counter = [&calls, k = n]() mutable { calls++; return k += 2; };
    counter(), counter();
    auto copy = counter;
    result(static_cast<unsigned>(copy() + counter() + calls));
    unsigned (*plain)(unsigned) = [](unsigned x) { return x ^ 0xFF; };
    result(plain(static_cast<unsigned>(n)));
    auto generic = [](auto x, auto y) { return x + y; };
    result_double(generic(1, 2.5) + generic(n, 1));
}
