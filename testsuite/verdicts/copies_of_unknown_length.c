// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// inputs: 20
// What a copy of unknown length moved is known afterwards, so that the path replays.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 10 || n > 1000) {
        return 0;
    }
    char *p = malloc(n), *q = malloc(n);
    for (int i = 0; i < 10; i++) {
        p[i] = (char)i;
    }
    memcpy(q, p, n);
    assert(q[3] == 3);
    p = realloc(p, 2 * n);
    assert(p[4] == 4);
    assert(q[5] != 5);
    return 0;
}
