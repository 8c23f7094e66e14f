/* A set of integers finds what was added, and has no duplicates. */
#include "harness.h"
#include <stdlib.h>
#define __ZMALLOC_H
#define zmalloc malloc
#define zrealloc realloc
#define zfree free
#define __REDIS_ASSERT_H__
#include "redis/src/intset.c"

int main(void) {
    short numbers[2];
    uint8_t added;
    intset *set = intsetNew();
    for (int i = 0; i < 2; i++) {
        numbers[i] = (short)__VERIFIER_nondet_ushort();
        set = intsetAdd(set, numbers[i], &added);
    }
    claim(intsetLen(set) == (numbers[0] == numbers[1] ? 1u : 2u));
    claim(intsetFind(set, numbers[0]) && intsetFind(set, numbers[1]));
    free(set);
}
