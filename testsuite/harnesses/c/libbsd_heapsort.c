/* heapsort sorts four unknown numbers. */
#include "harness.h"
#include "libbsd/src/heapsort.c"

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int numbers[4];
    for (int i = 0; i < 4; i++)
        numbers[i] = __VERIFIER_nondet_int();
    claim(heapsort(numbers, 4, sizeof numbers[0], compare) == 0);
    for (int i = 0; i < 3; i++)
        claim(numbers[i] <= numbers[i + 1]);
}
