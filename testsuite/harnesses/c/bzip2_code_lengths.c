/* The lengths of a Huffman code respect the maximum, and Kraft's inequality. */
#include "harness.h"
#include "bzip2/bzip2-1.0.8/huffman.c"

void BZ2_bz__AssertH__fail(int code) { claim(code == 0); }

int main(void) {
    UChar lengths[3];
    Int32 frequencies[3];
    for (int i = 0; i < 3; i++)
        frequencies[i] = __VERIFIER_nondet_uchar();
    BZ2_hbMakeCodeLengths(lengths, frequencies, 3, 17);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        claim(lengths[i] >= 1 && lengths[i] <= 17);
        sum += 1 << (17 - lengths[i]);
    }
    claim(sum <= 1 << 17);
}
