// What the program claims.
#include <clew.h>

extern void __VERIFIER_assert(int);

static int limit(int n) {
    return n > 9 ? 9 : n;
}

int main(void) {
    int n = clew_any_int();
    clew_assert(limit(n) < 9);
    __VERIFIER_assert(limit(n) != 5 || (n == ')'));
    return 0;
}
