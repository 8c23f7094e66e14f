// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// inputs: 3
// Addresses through arithmetic that checks for overflow, through alignment, and through assembly that does nothing.
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int cells[4] = {1, 2, 3, 4};
    uintptr_t sum;
    if (!__builtin_add_overflow((uintptr_t)cells, 2 * sizeof(int), &sum))
        *(int *)sum = 30;
    assert(cells[2] == 30);

    _Alignas(16) char buffer[32] = {0};
    char *aligned = __builtin_align_down(buffer + 5, 16);
    *aligned = 1;
    assert(buffer[0] == 1);

    int x = __VERIFIER_nondet_int();
    int *q = &x, *p;
    __asm__("" : "=r"(p) : "0"(q));
    *p = 9;
    assert(x != 9);
}
