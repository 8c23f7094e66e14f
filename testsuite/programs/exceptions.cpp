// Exceptions: ints and classes, caught by base reference, rethrown, nested, through frames with destructors.
#include "check.h"
#include <exception>
#include <new>
#include <stdexcept>

static unsigned trail;
static void note(unsigned mark) { trail = trail * 31 + mark; }

struct Guard {
    unsigned id;
    explicit Guard(unsigned id) : id(id) {}
    ~Guard() { note(id); }
};

struct Failure {
    int code;
    explicit Failure(int code) : code(code) {}
    Failure(const Failure &other) : code(other.code + 1) {}
    virtual ~Failure() { note(3); }
    virtual int kind() const { return 1; }
};
struct Special : Failure {
    using Failure::Failure;
    int kind() const override { return 2; }
};
struct Other { int x; };
struct Mixed : Other, Special { Mixed(int c) : Other{4}, Special(c) {} };

static void thrower(int n) {
    Guard g(10);
    switch (n % 8) {
    case 0: throw n;
    case 1: throw Failure(n);
    case 2: throw Special(n);
    case 3: throw "text";
    case 4: throw Mixed(n);
    case 5: throw 2.5;
    case 6: throw std::runtime_error("runtime");
    default: note(11);
    }
}

static void middle(int n) {
    Guard g(20), h(21);
    if (n & 16)
        note(22);
    thrower(n);
    note(23);
}

static int catcher(int n) {
    try {
        Guard g(30);
        middle(n);
        return 0;
    } catch (int x) {
        return x;
    } catch (const Special &s) {
        return s.kind() * 100 + s.code;
    } catch (Failure &f) {
        f.code++;
        return f.kind() * 1000 + f.code;
    } catch (const char *text) {
        return text[1];
    } catch (const std::exception &e) {
        return e.what()[0];
    } catch (...) {
        return 77;
    }
}

static int rethrows(int n) {
    try {
        try {
            Guard g(40);
            middle(n);
        } catch (Failure &f) {
            f.code += 50;
            throw;
        } catch (int) {
            throw Other{9};
        }
    } catch (const Failure &f) {
        return f.code;
    } catch (Other &o) {
        return o.x;
    } catch (...) {
        return -1;
    }
    return -2;
}

struct Part { unsigned id; Part(unsigned id, bool fails) : id(id) { if (fails) throw static_cast<int>(id); note(id); } ~Part() { note(id + 1); } };
struct Whole { Part a, b, c; explicit Whole(unsigned n) : a(50, n == 0), b(52, n == 1), c(54, n == 2) {} };

static unsigned construct(unsigned n) try {
    Whole w(n);
    return 1;
} catch (int id) {
    return static_cast<unsigned>(id);
}

static int nested(int n) {
    int r = 0;
    try {
        throw 1;
    } catch (int a) {
        try {
            if (n & 1)
                throw a + 1;
        } catch (int b) {
            r = a * 10 + b;
        }
        r += a;
    }
    return r;
}

static int recursive(int depth) {
    Guard g(static_cast<unsigned>(depth));
    if (depth == 0)
        throw 5;
    try {
        return recursive(depth - 1);
    } catch (int x) {
        if (depth < 3)
            throw x + depth;
        return x * 100;
    }
}

static int quiet(int n) noexcept { return n + 1; }

int main() {
    int n = static_cast<int>(input() & 0xFF);
    for (int i = 0; i < 8; i++)
        result(static_cast<unsigned>(catcher(n + i))), result(trail);
    for (int i = 0; i < 8; i++)
        result(static_cast<unsigned>(rethrows(n + i)));
    result(trail);
    for (unsigned i = 0; i < 4; i++)
        result(construct(i)), result(trail);
    result(static_cast<unsigned>(nested(n))), result(static_cast<unsigned>(recursive(n % 5 + 3))), result(trail), result(static_cast<unsigned>(quiet(n)));
    int *cell = new int[3];
    try {
        cell[1] = n;
        for (int i = 0;; i++)
            if (i == n % 10)
                throw i;
    } catch (int i) {
        cell[2] = i;
    }
    result(static_cast<unsigned>(cell[1] + cell[2]));
    delete[] cell;
    result(std::uncaught_exceptions() == 0);
}
