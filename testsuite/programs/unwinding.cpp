// What happens on the way of an exception: destructors, members of half-made objects, rethrowing, nested handlers.
#include "check.h"
#include <stdexcept>

static int alive = 0;

struct Counted {
    Counted() { alive++; }
    Counted(const Counted &) { alive++; }
    ~Counted() { alive--; }
};

struct Half {
    Counted first;
    Counted second;
    explicit Half(bool complete) {
        if (!complete) throw std::invalid_argument("half");
    }
    ~Half() { alive += 100; }
};

struct Wrapping : Counted {
    Half half;
    explicit Wrapping(bool complete) : half(complete) {}
};

static int constructors() {
    try {
        Wrapping wrapping(false);
        return 1;
    } catch (std::invalid_argument &) {
        if (alive != 0) return 2;
    }
    try {
        Counted outer;
        Wrapping *wrapping = new Wrapping(false);
        delete wrapping;
        return 3;
    } catch (...) {
    }
    return alive == 0 ? 0 : 4;
}

static void again() {
    try {
        Counted counted;
        throw std::out_of_range("first");
    } catch (std::logic_error &) {
        Counted counted;
        throw;
    }
}

static int rethrown() {
    try {
        again();
    } catch (std::out_of_range &) {
        return alive == 0 ? 0 : 1;
    }
    return 2;
}

static int nested() {
    int steps = 0;
    try {
        try {
            throw 1;
        } catch (int number) {
            steps += number;
            try {
                throw 2L;
            } catch (long inner) {
                steps += 10 * static_cast<int>(inner);
            }
            throw;
        }
    } catch (int number) {
        steps += 100 * number;
    }
    return steps == 121 ? 0 : 1;
}

static int pick(int which) {
    try {
        switch (which) {
        case 0: throw 'c';
        case 1: throw 1.5;
        case 2: throw "text";
        case 3: throw Counted();
        case 4: throw std::underflow_error("u");
        default: return 0;
        }
    } catch (int) {
        return 10;
    } catch (char c) {
        return c;
    } catch (double d) {
        return d == 1.5 ? 2 : 20;
    } catch (const char *text) {
        return text[1];
    } catch (const Counted &) {
        return 4;
    } catch (...) {
        return 5;
    }
}

static int kinds() {
    if (pick(0) != 'c' || pick(1) != 2) return 1;
    if (pick(2) != 'e') return 2;
    if (pick(3) != 4 || alive != 0) return 3;
    return pick(4) == 5 && pick(5) == 0 ? 0 : 4;
}

struct One {
    int one = 1;
    virtual ~One() {}
};
struct Two {
    int two = 2;
    virtual int number() { return two; }
    virtual ~Two() {}
};
struct OneAndTwo : One, Two {
    int number() override { return 12; }
};

static int second_base() {
    try {
        throw OneAndTwo();
    } catch (Two &t) {
        if (t.two != 2 || t.number() != 12) return 1;
    }
    try {
        throw OneAndTwo();
    } catch (One &o) {
        if (o.one != 1 || alive != 0) return 2;
    }
    OneAndTwo object;
    try {
        throw &object;
    } catch (Two *t) {
        if (t->number() != 12) return 3;
    }
    const OneAndTwo *constant = &object;
    try {
        throw constant;
    } catch (One *) {
        return 4;
    } catch (const void *p) {
        if (p != &object) return 5;
    }
    return 0;
}

struct Hidden : private One {};
struct Token {
    Counted counted;
    int *ended;
    explicit Token(int *ended) : ended(ended) {}
    ~Token() { ++*ended; }
};

// An exception ends with its last handler, also if that one sees it by reference, and not before.
static int endings() {
    int ended = 0;
    try {
        try {
            throw Token(&ended);
        } catch (Token &) {
            if (ended != 0) return 1;
            throw;
        }
    } catch (const Token &token) {
        if (ended != 0 || token.ended != &ended) return 2;
        try {
            throw Hidden();
        } catch (One &) {
            return 3;
        } catch (...) {
        }
    }
    return ended == 1 && alive == 0 ? 0 : 4;
}

static int checks() {
    if (constructors() != 0) return 1;
    if (rethrown() != 0) return 2;
    if (nested() != 0) return 3;
    if (kinds() != 0) return 4;
    if (second_base() != 0) return 5;
    if (endings() != 0) return 6;
    return 0;
}

int main() {
    result(checks());
    return 0;
}
