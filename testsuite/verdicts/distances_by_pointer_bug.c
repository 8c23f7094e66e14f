// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// What is copied is equal until somebody writes to one of them, here through a pointer.
#include <assert.h>
int __VERIFIER_nondet_int(void);
static void change(int *where) {
    *where += 1;
}
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = a;
    assert(a == b);
    if (__VERIFIER_nondet_int())
        change(&b);
    assert(a == b);
    return 0;
}
