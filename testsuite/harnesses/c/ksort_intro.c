/* ksort's introsort sorts four unknown numbers. */
#include "harness.h"
#include "htslib/htslib/ksort.h"

KSORT_INIT_GENERIC(int)

int main(void) {
    int numbers[4];
    for (int i = 0; i < 4; i++)
        numbers[i] = __VERIFIER_nondet_int();
    ks_introsort(int, 4, numbers);
    for (int i = 0; i < 3; i++)
        claim(numbers[i] <= numbers[i + 1]);
}
