// expect: value SAFE, value-full SAFE, value+predicate SAFE
// truth: safe
// A subtraction that yields an address here and a distance there, and pointers stored as distances from themselves.
#include <assert.h>
#include <stdint.h>

static intptr_t sub(intptr_t a, intptr_t b) { return a - b; }

struct relative {
    intptr_t distance;
};

static void set(struct relative *self, void *target) { self->distance = (char *)target - (char *)self; }

static void *get(struct relative *self) { return (char *)self + self->distance; }

int main(void) {
    int x = 1, y = 2, cells[4] = {0};
    // An address and a size in one array, the difference of neighbours.
    intptr_t v[2] = {(intptr_t)&cells[3], 2 * sizeof(int)};
    *(int *)(v[0] - v[1]) = 5;
    assert(cells[1] == 5);

    assert(sub((intptr_t)&cells[3], (intptr_t)&cells[0]) == 3 * sizeof(int));
    *(int *)sub((intptr_t)&cells[3], sizeof(int)) = 6;
    assert(cells[2] == 6);

    struct relative a, b;
    set(&a, &x);
    set(&b, &y);
    *(int *)get(&a) = 10;
    *(int *)get(&b) = 20;
    assert(x == 10 && y == 20);
}
