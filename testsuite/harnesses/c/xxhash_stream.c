/* Feeding four bytes in two parts hashes like feeding them at once. */
#define XXH_NO_XXH3
#define XXH_INLINE_ALL
#include "harness.h"
#include "xxhash/xxhash.h"

int main(void) {
    unsigned char bytes[4];
    any_bytes(bytes, sizeof bytes);
    unsigned split = any_below(5);
    XXH32_state_t state;
    XXH32_reset(&state, 7);
    XXH32_update(&state, bytes, split);
    XXH32_update(&state, bytes + split, 4 - split);
    claim(XXH32_digest(&state) == XXH32(bytes, 4, 7));
}
