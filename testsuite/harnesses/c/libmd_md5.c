/* Feeding two bytes one by one gives the same digest as feeding them at once. */
#include "harness.h"
#include "libmd/include/md5.h"
#include "libmd/src/md5.c"

int main(void) {
    uint8_t bytes[2], once[16], twice[16];
    MD5_CTX context;
    any_bytes(bytes, sizeof bytes);
    MD5Init(&context);
    MD5Update(&context, bytes, 2);
    MD5Final(once, &context);
    MD5Init(&context);
    MD5Update(&context, bytes, 1);
    MD5Update(&context, bytes + 1, 1);
    MD5Final(twice, &context);
    for (int i = 0; i < 16; i++)
        claim(once[i] == twice[i]);
}
