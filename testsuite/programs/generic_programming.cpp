// A small container library of our own: iterators, policies, move-only types, operators new and delete.
#include "check.h"
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

static int allocations;

template <typename T> class Vec {
    T *items = nullptr;
    std::size_t used = 0, space = 0;
    void reserve(std::size_t n) {
        T *fresh = static_cast<T *>(std::malloc(n * sizeof(T)));
        if (!fresh)
            std::abort();
        allocations++;
        for (std::size_t i = 0; i < used; i++) {
            new (fresh + i) T(std::move(items[i]));
            items[i].~T();
        }
        std::free(items);
        items = fresh, space = n;
    }

public:
    Vec() = default;
    Vec(Vec &&o) noexcept : items(std::exchange(o.items, nullptr)), used(std::exchange(o.used, 0)), space(std::exchange(o.space, 0)) {}
    Vec(const Vec &) = delete;
    ~Vec() {
        for (std::size_t i = used; i-- > 0;)
            items[i].~T();
        std::free(items);
    }
    template <typename... A> T &emplace(A &&...a) {
        if (used == space)
            reserve(space ? space * 2 : 1);
        return *new (items + used++) T(std::forward<A>(a)...);
    }
    T *begin() { return items; }
    T *end() { return items + used; }
    std::size_t size() const { return used; }
    T &operator[](std::size_t i) { return items[i]; }
};

class Owner {
    int *cell;

public:
    static unsigned log;
    explicit Owner(int v) : cell(new int(v)) {}
    Owner(Owner &&o) noexcept : cell(std::exchange(o.cell, nullptr)) {}
    Owner &operator=(Owner &&o) noexcept { return std::swap(cell, o.cell), *this; }
    ~Owner() {
        if (cell)
            log = log * 31 + static_cast<unsigned>(*cell);
        delete cell;
    }
    int get() const { return cell ? *cell : -1; }
};
unsigned Owner::log = 1;

template <typename I, typename F> void sort_range(I from, I to, F less) {
    for (I i = from; i != to; ++i)
        for (I j = i; j != from && less(*j, *(j - 1)); --j)
            std::swap(*j, *(j - 1));
}

struct Up { static int step(int x) { return x + 1; } };
struct Down { static int step(int x) { return x - 1; } };
template <typename P> struct Walker : private P { int at = 0; int go(int n) { while (n--) at = P::step(at); return at; } };

struct Pool {
    alignas(16) unsigned char space[256];
    std::size_t used = 0;
};
static Pool pool;
struct Pooled {
    int a, b;
    static void *operator new(std::size_t n) {
        void *p = pool.space + pool.used;
        pool.used += (n + 15) / 16 * 16;
        return p;
    }
    static void operator delete(void *) { pool.used -= 16; }
};

int main() {
    unsigned n = input();
    {
        Vec<Owner> owners;
        for (unsigned i = 0; i < 6; i++)
            owners.emplace(static_cast<int>((n ^ i * 977) % 100));
        sort_range(owners.begin(), owners.end(), [](const Owner &a, const Owner &b) { return a.get() < b.get(); });
        for (Owner &o : owners)
            result(static_cast<unsigned>(o.get()));
        Vec<Owner> moved = std::move(owners);
        moved[0] = Owner(1000);
        result(moved.size() * 10 + owners.size());
    }
    result(Owner::log), result(static_cast<unsigned>(allocations));
    result(static_cast<unsigned>(Walker<Up>().go(5) * 100 + Walker<Down>().go(3)));
    Pooled *a = new Pooled{1, static_cast<int>(n)}, *b = new Pooled{2, 3};
    result(static_cast<unsigned>(a->b + b->a)), result(pool.used);
    delete b;
    result(pool.used);
    int *many = new int[n % 10 + 1]();
    many[n % 10] = 4;
    result(static_cast<unsigned>(many[0] + many[n % 10]));
    delete[] many;
}
