// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 7,3
// Without a main, execution starts in the function with the mark.
#include <clew.h>
CLEW_PROOF void proof(short other) {
    int n = clew_any(int);
    clew_assume(n > 0 && n < 10);
    clew_assert(n != 3 || other != 7);
}
