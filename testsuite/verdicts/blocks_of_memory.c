// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// memset, memcpy and memmove, and the same bytes read as other types.
#include <assert.h>
#include <string.h>
union word {
    unsigned whole;
    unsigned char bytes[4];
};
int main(void) {
    unsigned char block[8];
    memset(block, 0x11, sizeof block);
    for (int i = 0; i < 4; i++)
        block[i] = (unsigned char)i;
    memmove(block + 2, block, 4);
    assert(block[2] == 0 && block[5] == 3 && block[6] == 0x11 && block[1] == 1);
    union word word;
    memcpy(&word, block + 2, sizeof word);
    assert(word.whole == 0x03020100);
    word.bytes[3] = 0xff;
    assert(word.whole >> 24 == 0xff && (int)word.whole < 0);
    return 0;
}
