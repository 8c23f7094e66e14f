// expect: value SAFE, value-full SAFE
// truth: safe
// Large objects have several slots of the heap, and pointers into each of them belong to the same object.
#include <stdlib.h>
int main(void) {
    __CPROVER_size_t size = 3000000;
    char *block = malloc(size), *other = malloc(1);
    __CPROVER_postcondition(__CPROVER_w_ok(block, size) && !__CPROVER_w_ok(block, size + 1), "all of it");
    __CPROVER_assert(__CPROVER_POINTER_OFFSET(block + 2000000) == 2000000, "a later slot");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(block + size) == size, "the end");
    __CPROVER_assert(!__CPROVER_same_object(block + size, other), "another one");
    free(block);
    __CPROVER_assert(!__CPROVER_r_ok(block + 2000000) && __CPROVER_r_ok(other), "all is freed");
    return 0;
}
