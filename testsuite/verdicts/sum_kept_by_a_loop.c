// expect: value SAFE, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// flags: --time-limit 4s
// What is taken from one is given to the other: their sum is that of the start, however often.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int all = __VERIFIER_nondet_int();
    int left = all, done = 0;
    while (__VERIFIER_nondet_int()) {
        left--;
        done++;
    }
    assert(left + done == all);
    return 0;
}
