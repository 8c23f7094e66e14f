// expect: value UNKNOWN, value-full UNKNOWN
// truth: safe
// flags: --replay interpreter
// A pointer that is never set, but assumed to be that of a variable: what it points to is not arbitrary.
#include <clew.h>

int main(void) {
    int *pointer;
    int variable = clew_any_int();
    clew_assume(pointer == &variable);
    clew_assert(*pointer == variable);
    return 0;
}
