// expect: value SAFE, value-full SAFE
// truth: safe
// A variable keeps its value if the call that computes a new one throws.
#include <cassert>

static int last = 5;

static int checked(int x) {
    if (x < 0)
        throw x;
    return x;
}

static void store(int x) {
    last = checked(x);
}

int main() {
    try {
        store(-1);
    } catch (int) {
        assert(last == 5);
    }
    store(7);
    assert(last == 7);
}
