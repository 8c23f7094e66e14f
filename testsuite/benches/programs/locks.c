/* Three locks, each with a count of its holders: that both agree is a predicate, as the counts are unbounded. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned taken_a = 0, given_a = 0, taken_b = 0, given_b = 0, taken_c = 0, given_c = 0;
    int held_a = 0, held_b = 0, held_c = 0;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: if (!held_a) { held_a = 1; taken_a++; } break;
        case 1: if (held_a) { held_a = 0; given_a++; } break;
        case 2: if (!held_b) { held_b = 1; taken_b++; } break;
        case 3: if (held_b) { held_b = 0; given_b++; } break;
        case 4: if (!held_c) { held_c = 1; taken_c++; } break;
        case 5: if (held_c) { held_c = 0; given_c++; } break;
        }
        assert(held_a ? taken_a == given_a + 1 : taken_a == given_a);
        assert(held_b ? taken_b == given_b + 1 : taken_b == given_b);
        assert(held_c ? taken_c == given_c + 1 : taken_c == given_c);
    }
}
