// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// A vector or a wide integer is written where it is read.
#include <assert.h>

typedef int four __attribute__((vector_size(16)));

static four cells = {1, 2, 3, 4};
static four *where = &cells;

int main(void) {
    four a = {1, 2, 3, 4};
    a = __builtin_shufflevector(a, a, 3, 2, 1, 0);
    assert(a[0] == 4 && a[1] == 3 && a[2] == 2 && a[3] == 1);

    *where = __builtin_shufflevector(*where, *where, 1, 0, 3, 2);
    assert(cells[0] == 2 && cells[1] == 1);

    unsigned _BitInt(200) wide = 1;
    wide <<= 150;
    wide >>= 149;
    assert(wide != 2);
}
