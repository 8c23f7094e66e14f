// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// inputs: 0
// The same, but the buffer is written.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char buffer[4] = "abc";
    char *text = __VERIFIER_nondet_int() ? "abc" : buffer;
    text[0] = 'x';
    assert(buffer[0] == 'a');
    return 0;
}
