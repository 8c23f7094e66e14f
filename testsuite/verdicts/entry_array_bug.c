// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// flags: --entry=sum --array=values:count --max-length=3
// inputs: 2,0,100,-1
// An entry with parameters: first the scalars, then whether the pointer is null, then the elements.
#include <assert.h>
int sum(const signed char *values, unsigned count) {
    int sum = 0;
    for (unsigned i = 0; values && i < count; i++)
        sum += values[i];
    assert(sum != 99);
    return sum;
}
