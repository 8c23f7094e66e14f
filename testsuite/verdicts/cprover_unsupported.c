// expect: value UNKNOWN, value-full UNKNOWN
// truth: safe
// What is not known of CBMC's vocabulary is named, and not taken for a function of the program.
int main(void) {
    int *p = 0;
    __CPROVER_assume(__CPROVER_is_fresh(p, sizeof *p));
    __CPROVER_assert(1, "nothing");
    __CPROVER_assert(p == 0, "nothing is known");
    return 0;
}
