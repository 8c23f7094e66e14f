// expect: value SAFE, value-full SAFE
// truth: safe
// The vocabulary of CBMC, undeclared as its users write it.
#include <stdlib.h>
struct pair {
    int first[2];
    char second;
};
static int table[4];
int main(void) {
    char local[8], *heap = malloc(10);
    struct pair *pair = malloc(sizeof *pair);
    __CPROVER_assert(__CPROVER_r_ok(table) && __CPROVER_w_ok(table, sizeof table), "all of a variable");
    __CPROVER_assert(!__CPROVER_r_ok(table, sizeof table + 1), "no more");
    __CPROVER_assert(__CPROVER_rw_ok(local + 3, 5) && !__CPROVER_r_ok(local + 3, 6), "in the middle");
    __CPROVER_precondition(__CPROVER_r_ok(pair) && !__CPROVER_r_ok(pair + 1), "a pointee");
    __CPROVER_assert(!__CPROVER_r_ok((int *)0), "null");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(heap + 4) == 10 && __CPROVER_POINTER_OFFSET(heap + 4) == 4, "heap");
    __CPROVER_assert(__CPROVER_same_object(heap, heap + 9) && !__CPROVER_same_object(heap, local), "objects");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(&pair->second) == __CPROVER_POINTER_OBJECT(pair), "a member");
    unsigned char c = 200;
    __CPROVER_bool sum = __CPROVER_overflow_plus(c, c);
    __CPROVER_assert(!sum, "small numbers are added as int");
    __CPROVER_assert(__CPROVER_overflow_plus(4294967295u, 1) && !__CPROVER_overflow_plus(4294967295u, 1L), "types");
    __CPROVER_assert(__CPROVER_overflow_minus(0u, 1) && __CPROVER_overflow_mult(2147483647, 2), "other operations");
    __CPROVER_assert(__CPROVER_overflow_shl(1, 31) && !__CPROVER_overflow_shl(-1, 31), "shifts");
    __CPROVER_assert(__CPROVER_overflow_unary_minus(-2147483647 - 1), "negation");
    free(heap);
    __CPROVER_assert(!__CPROVER_r_ok(heap, 1) && __CPROVER_r_ok(pair), "a freed object");
    return 0;
}
