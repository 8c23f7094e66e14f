// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Assumptions pin inputs; what contradicts them is not reached.
extern void reach_error(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
int main(void) {
    int mode = __VERIFIER_nondet_int(), level = __VERIFIER_nondet_int();
    __VERIFIER_assume(mode == 3);
    if (level == mode + 4) {
        int sum = level + mode;
        if (sum != 10)
            reach_error();
    }
    if (mode == 2)
        reach_error();
    return 0;
}
