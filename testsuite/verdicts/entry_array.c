// expect: value SAFE, value-full SAFE, k-induction SAFE
// truth: safe
// flags: --entry=largest --array=values:count --max-length=3 --non-null
// An entry with parameters: the array has as many elements as the other one says.
#include <assert.h>
int largest(const int *values, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (values[i] > best)
            best = values[i];
    assert(count > 0 || best == -1);
    assert(count == 0 || count < 0 || best >= values[0] || best == -1);
    return best;
}
