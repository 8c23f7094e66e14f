// Values of scalar variables, by their types.
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum color { RED, GREEN = 5, BLUE };
enum access { READ = 1, WRITE = 2, EXECUTE = 4 };
enum level { LOW = -1, HIGH = 1 };
typedef enum color paint;

extern int __VERIFIER_nondet_int(void);

static int check(unsigned char byte, char letter, const paint with, double weight, _Bool flag) {
    return byte + letter + (int)with + (int)weight + flag;
}

int main(void) {
    int unset;
    unsigned char byte = 200;
    signed char small = -3;
    uint16_t word = 65535;
    int64_t large = INT64_MIN;
    uint64_t largest = UINT64_MAX;
    __int128 wide = -1;
    unsigned __int128 wider = (unsigned __int128)1 << 100;
    char letter = 'x', newline = '\n', zero = 0, negative = -56;
    bool yes = true;
    _Bool no = 0;
    enum color color = BLUE, none = 3;
    paint paint = GREEN;
    enum access both = READ | WRITE, more = 8;
    enum level level = LOW;
    float half = 0.5f;
    double tenth = 0.1, whole = 3, minus_zero = -0.0, huge = 1e300, infinite = INFINITY, nan = NAN;
    long double extended = 0.1L, extended_one = 1;
    int input = __VERIFIER_nondet_int();
    if (input != 42) {
        return 0;
    }
    unset = input;
    int sum = check(byte, letter, paint, tenth, yes);
    assert(sum == 0 || unset != 42 || small + word + (large != 0) + (largest != 0) + (int)wide + (int)wider == 0);
    return newline + zero + negative + no + color + none + both + more + level + half + whole + minus_zero + huge +
           infinite + nan + extended + extended_one;
}
