// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN, k-induction UNKNOWN
// truth: safe
// Nobody says SAFE about what is not modelled.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 1, y = 0;
    if (__VERIFIER_nondet_int() == 5)
        __asm__("incl %0" : "+r"(y));
    if (x != 1)
        reach_error();
    return 0;
}
