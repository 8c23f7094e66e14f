// expect: value SAFE, value-full SAFE, value+predicate SAFE
// truth: safe
// A pointer is copied as a double, and by a generic swap of eight bytes.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

union slot {
    int *pointer;
    double number;
};

static void swap_eight_bytes(void *left, void *right) {
    double a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    memcpy(left, &b, sizeof b);
    memcpy(right, &a, sizeof a);
}

int main(void) {
    int x = 1, y = 2;
    union slot from, to;
    from.pointer = &x;
    to.number = from.number;
    *to.pointer = 5;
    assert(x == 5);

    int *p = &x, *q = &y;
    swap_eight_bytes(&p, &q);
    *p = __VERIFIER_nondet_int();
    *q = 7;
    assert(x == 7);
}
