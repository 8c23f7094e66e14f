// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// A write to a string literal crashes; nothing after it is reached.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char buffer[4] = "abc";
    char *text = __VERIFIER_nondet_int() ? "abc" : buffer;
    text[0] = 'x';
    assert(text == buffer);
    return 0;
}
