// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// Floating-point numbers with all their oddities.
#include <assert.h>
#include <math.h>
int main(void) {
    double sum = 0.0;
    for (int i = 0; i < 10; i++)
        sum += 0.1;
    assert(sum != 1.0 && sum > 0.999);
    float third = 1.0f / 3.0f;
    assert((double)third != 1.0 / 3.0);
    double nothing = NAN;
    assert(nothing != nothing && !(nothing < 1.0));
    assert((int)-2.75 == -2 && (unsigned char)200.9 == 200);
    assert(1.0 / -0.0 < 0.0);
    return 0;
}
