// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 77
// A jump with 0 returns 1; what is volatile keeps its value.
#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

static jmp_buf target;

static void check(int x) {
    if (x == 77)
        longjmp(target, 0);
}

static void work(int x) {
    check(x);
}

int main(void) {
    volatile int steps = 1;
    int x = __VERIFIER_nondet_int();
    switch (setjmp(target)) {
    case 0:
        steps = 2;
        work(x);
        break;
    case 1:
        assert(steps != 2);
        break;
    default:
        assert(0);
    }
    return 0;
}
