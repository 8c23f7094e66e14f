/* False: a second item with the same key replaces the first. */
#include "harness.h"
#include "uthash/src/uthash.h"

struct item {
    int key;
    UT_hash_handle hh;
};

int main(void) {
    struct item items[2], *table = NULL, *replaced;
    for (int i = 0; i < 2; i++) {
        items[i].key = __VERIFIER_nondet_int();
        HASH_REPLACE_INT(table, key, &items[i], replaced);
    }
    claim(HASH_COUNT(table) == 2);
}
