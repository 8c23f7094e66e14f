/* Different single bytes have different hashes. */
#define XXH_NO_XXH3
#define XXH_INLINE_ALL
#include "harness.h"
#include "xxhash/xxhash.h"

int main(void) {
    unsigned char bytes[2];
    any_bytes(bytes, sizeof bytes);
    __VERIFIER_assume(bytes[0] != bytes[1]);
    claim(XXH32(bytes, 1, 0) != XXH32(bytes + 1, 1, 0));
}
