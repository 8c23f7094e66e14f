// expect: value UNKNOWN, value-full UNKNOWN, value+predicate SAFE
// truth: safe
// flags: --entry=area --non-null
// Structs that are passed in registers, in memory and behind a pointer.
#include <assert.h>
struct small {
    int width, height;
};
struct large {
    long numbers[4];
};
union number {
    int whole;
    float real;
};
int area(struct small small, struct large large, const union number *number, _Bool flag) {
    assert(small.width == small.height || small.width < small.height || small.width > small.height);
    assert(large.numbers[3] <= 5 || large.numbers[3] > 5);
    assert(flag == 0 || flag == 1);
    return number->whole;
}
