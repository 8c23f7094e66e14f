// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// `exit` and `abort` come first.
#include <stdlib.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static void fail(int code) {
    if (code == 1)
        exit(1);
    abort();
}
int main(void) {
    int wrong = __VERIFIER_nondet_int() ? 1 : 2;
    fail(wrong);
    reach_error();
    return 0;
}
