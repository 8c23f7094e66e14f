/* luaO_ceillog2 is the logarithm, rounded up. */
#include "harness.h"
#include "lua5.4/src/lobject.c"

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x >= 1);
    int log = luaO_ceillog2(x);
    claim(log >= 0 && log <= 32);
    claim((1ull << log) >= x && (log == 0 || (1ull << (log - 1)) < x));
}
