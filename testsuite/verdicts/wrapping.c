// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Numbers that wrap around, narrow types that are promoted, comparisons of mixed signs.
#include <assert.h>
int main(void) {
    unsigned char byte = 250;
    for (int i = 0; i < 10; i++)
        byte++;
    assert(byte == 4);
    unsigned zero = 0;
    assert(zero - 1 > 0 && -1 > zero);
    short large = 32767;
    large = (short)(large + 1);
    assert(large == -32768);
    assert((signed char)0x80 >> 7 == -1);
    assert((unsigned char)~byte == 251);
    long long product = 2000000000LL * 3;
    assert((int)product != product);
    return 0;
}
