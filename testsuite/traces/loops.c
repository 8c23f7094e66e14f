// Loops: of iterations that pass the same lines, the first and the last are shown.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int square(int n) {
    return n * n;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0, product = 1, odd = 0;
    if (n != 20) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        sum += square(i);
        for (int k = 0; k < 5; k++) {
            product ^= k;
        }
    }
    for (int i = 0; i < 12; i++) {
        if (i == 7) {
            odd = sum;
        }
        product++;
    }
    assert(odd == 0 || product == 0);
    return 0;
}
