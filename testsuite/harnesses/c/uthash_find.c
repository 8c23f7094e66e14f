/* Keys that were added are found, with their own values. */
#include "harness.h"
#include "uthash/src/uthash.h"

struct item {
    int key;
    int value;
    UT_hash_handle hh;
};

int main(void) {
    struct item items[2], *table = NULL, *found;
    for (int i = 0; i < 2; i++) {
        items[i].key = __VERIFIER_nondet_int();
        items[i].value = i;
    }
    __VERIFIER_assume(items[0].key != items[1].key);
    for (int i = 0; i < 2; i++)
        HASH_ADD_INT(table, key, &items[i]);
    for (int i = 0; i < 2; i++) {
        HASH_FIND_INT(table, &items[i].key, found);
        claim(found && found->value == i);
    }
    HASH_CLEAR(hh, table);
}
