// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Example 3.3 of paper 002: explicit values take all rounds of the loop, one predicate would do.
#include <assert.h>
int main(void) {
    int x = 0;
    while (x < 1000)
        x = x + 1;
    assert(x > 0);
    return 0;
}
