// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Writes through pointers to variables, to fields and to other pointers.
#include <assert.h>
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static int *larger(int *a, int *b) { return *a > *b ? a : b; }
int main(void) {
    int x = 1, y = 2, z = 3;
    swap(&x, &y);
    *larger(&x, &z) = 9;
    int *p = &x, **pp = &p;
    **pp = 5;
    *pp = &y;
    *p += 1;
    assert(x == 5 && y == 2 && z == 9);
    return 0;
}
