/* The length at the end of an entry is read as it was written. */
#include "harness.h"
#define __REDIS_ASSERT_H__
#include "redis/src/listpack.c"

int main(void) {
    unsigned char buffer[5];
    uint64_t length = __VERIFIER_nondet_uint();
    unsigned long bytes = lpEncodeBacklen(buffer, length);
    claim(bytes >= 1 && bytes <= 5);
    claim(lpDecodeBacklen(buffer + bytes - 1) == length);
}
