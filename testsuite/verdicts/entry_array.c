// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE, k-induction SAFE
// truth: safe
// flags: --entry=largest --array=values:3 --non-null
// An entry with a parameter that points to an array of a known length.
#include <assert.h>
int largest(const int *values) {
    int best = values[0];
    for (int i = 1; i < 3; i++)
        if (values[i] > best)
            best = values[i];
    assert(best >= values[0]);
    return best;
}
