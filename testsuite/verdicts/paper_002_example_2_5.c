// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Example 2.5 of paper 002: a variable counts to five.
#include <assert.h>
int main(void) {
    int x = 0;
    while (x < 5)
        x = x + 1;
    assert(x <= 5);
    return 0;
}
