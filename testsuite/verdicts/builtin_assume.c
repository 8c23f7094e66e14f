// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE, value+predicate SAFE
// truth: safe
// What the programmer has ruled out for the compiler is ruled out here; a program has a name.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 3)
        return 0;
    int y = x * 2;
    __builtin_assume(y != 4);
    assert(x != 2);
    if (argc > 0)
        assert(argv[0] != 0);
    return 0;
}
