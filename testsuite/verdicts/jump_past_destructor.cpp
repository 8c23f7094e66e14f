// expect: value UNKNOWN, value-full UNKNOWN
// truth: unsafe
// A jump past an object with a destructor is undefined.
#include <cassert>
#include <csetjmp>

static std::jmp_buf target;
static int alive;

struct Guard {
    Guard() { alive++; }
    ~Guard() { alive--; }
};

static void leave() {
    std::longjmp(target, 1);
}

static void work() {
    Guard guard;
    leave();
}

int main() {
    if (setjmp(target) == 0)
        work();
    assert(alive == 0);
}
