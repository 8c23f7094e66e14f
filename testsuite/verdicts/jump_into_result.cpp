// expect: value UNKNOWN, value-full UNKNOWN
// truth: unsafe
// The variable is where the caller wants the result, and indeterminate: clang -O2 makes the assertion fail.
#include <cassert>
#include <csetjmp>

struct Numbers {
    int first;
    int rest[8];
};

static std::jmp_buf target;

static Numbers make() {
    Numbers n;
    n.first = 1;
    if (setjmp(target) == 0) {
        n.first = 2;
        std::longjmp(target, 1);
    }
    n.rest[0] = n.first;
    return n;
}

int main() {
    assert(make().rest[0] == 2);
}
