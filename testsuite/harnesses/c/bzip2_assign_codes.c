/* Codes of equal length are distinct and in order. */
#include "harness.h"
#include "bzip2/bzip2-1.0.8/huffman.c"

void BZ2_bz__AssertH__fail(int code) { claim(code == 0); }

int main(void) {
    UChar lengths[4];
    Int32 codes[4];
    for (int i = 0; i < 4; i++)
        lengths[i] = (UChar)(1 + any_below(3));
    BZ2_hbAssignCodes(codes, lengths, 1, 3, 4);
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            claim(lengths[i] != lengths[j] || codes[i] < codes[j]);
}
