/* Complex numbers. */
#include "check.h"

struct wave { double _Complex amplitude; float _Complex phase; };

static double _Complex square(double _Complex z) { return z * z; }
static float _Complex half(float _Complex z) { return z / 2; }
static int escapes(double _Complex c) {
    double _Complex z = 0;
    for (int i = 0; i < 30; i++) {
        if (__real__ z * __real__ z + __imag__ z * __imag__ z > 4)
            return i;
        z = square(z) + c;
    }
    return 30;
}
static struct wave turned(struct wave w) {
    w.amplitude *= 1.0i, w.phase = ~w.phase;
    return w;
}

int main(void) {
    int n = (int)input() % 1000;
    double _Complex a = n * 0.5 + 2.0i, b = 2.0 - 2.0i;
    double _Complex r[] = {a + b, a - b, a * b, -a, ~a, square(a)};
    for (unsigned i = 0; i < sizeof r / sizeof *r; i++)
        result_double(__real__ r[i]), result_double(__imag__ r[i]);
    result((a == b) | (a != b) << 1);
    float _Complex f = half((float)n + 1.0fi);
    result_double(__real__ f), result_double(__imag__ f);
    for (int i = 0; i < 5; i++)
        result((unsigned)escapes(-1.5 + i * 0.4 + (n % 7) * 0.15i));
    struct wave w = turned((struct wave){a, f});
    result_double(__real__ w.amplitude), result_double(__imag__ w.phase);
    int _Complex whole = 3 + 4i;
    whole *= n;
    result((unsigned)__real__ whole), result((unsigned)__imag__ whole);
    __real__ a = 5;
    result_double(__real__ a + __imag__ a);
    return 0;
}
