// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// A copy of bytes that nothing has written equals its source, also if its length is unknown.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

struct record {
    int key;
    char tag;
    long data[3];
};

int main(void) {
    char from[16], to[16];
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 4 || n > 16) {
        return 0;
    }
    memcpy(to, from, n);
    assert(to[3] == from[3]);
    struct record one, other;
    other = one;
    assert(other.key == one.key && other.data[1] == one.data[1]);
    return 0;
}
