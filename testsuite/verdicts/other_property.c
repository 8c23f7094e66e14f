// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// flags: --property assert
// reach_error is called, but assertions are what is asked for, and they hold.
#include <assert.h>
extern void reach_error(void);
int main(void) {
    int x = 3;
    if (x == 3)
        reach_error();
    assert(x == 3);
    return 0;
}
