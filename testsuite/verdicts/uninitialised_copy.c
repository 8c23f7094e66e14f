// expect: value UNKNOWN, value-full UNKNOWN, k-induction SAFE, predicate SAFE
// truth: safe
// A copy of what has no value yet is equal to it, also where the copy is made behind a loop.
#include <string.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int from[4], to[4];
    while (__VERIFIER_nondet_int()) {
    }
    memcpy(to, from, sizeof from);
    int i = __VERIFIER_nondet_int() & 3;
    if (from[i] != to[i])
        reach_error();
    return 0;
}
