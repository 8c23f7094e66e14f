/* A khash finds the keys that were put, and counts equal ones once. */
#include "harness.h"
#include "htslib/htslib/khash.h"

KHASH_SET_INIT_INT(numbers)

int main(void) {
    unsigned keys[2];
    int added;
    khash_t(numbers) *set = kh_init(numbers);
    for (int i = 0; i < 2; i++) {
        keys[i] = __VERIFIER_nondet_uint();
        kh_put(numbers, set, keys[i], &added);
    }
    claim(kh_size(set) == (keys[0] == keys[1] ? 1u : 2u));
    for (int i = 0; i < 2; i++) {
        khint_t place = kh_get(numbers, set, keys[i]);
        claim(place != kh_end(set) && kh_key(set, place) == keys[i]);
    }
    kh_destroy(numbers, set);
}
