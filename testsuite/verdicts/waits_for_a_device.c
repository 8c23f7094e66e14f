// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// inputs: 0
// flags: --bound 2 --time-limit 2s
// Whether the loop ends depends on a function that is defined nowhere, and so does the violation.
#include <assert.h>

int device_busy(void);

int main(void) {
    while (device_busy())
        ;
    assert(0);
}
