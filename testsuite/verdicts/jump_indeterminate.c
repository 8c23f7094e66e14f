// expect: value UNKNOWN, value-full UNKNOWN
// truth: unsafe
// Without volatile, the variable is indeterminate: clang -O2 makes the assertion fail, clang -O0 does not.
#include <assert.h>
#include <setjmp.h>

static jmp_buf target;

static void increment(int *p) {
    (*p)++;
    longjmp(target, 2);
}

int main(void) {
    int x = 1;
    if (setjmp(target) == 0)
        increment(&x);
    assert(x == 2);
    return 0;
}
