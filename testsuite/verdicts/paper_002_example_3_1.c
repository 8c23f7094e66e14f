// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// Example 3.1 of paper 002: `x` alternates, and the bound of the loop does not matter.
#include <assert.h>
int main(void) {
    int x = 0;
    int i = 0;
    while (i < 1000) {
        x = 1 - x;
        i = i + 1;
    }
    assert(x <= 1);
    return 0;
}
