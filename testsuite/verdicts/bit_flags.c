// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Flags in one byte, set, cleared and shifted.
#include <assert.h>
enum { READY = 1 << 0, BUSY = 1 << 3, DONE = 1 << 6 };
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned char flags = READY;
    flags |= BUSY;
    flags &= ~READY;
    if (__VERIFIER_nondet_int())
        flags = (unsigned char)(flags << 3) | BUSY;
    flags ^= BUSY;
    assert(flags == 0 || flags == DONE);
    return 0;
}
