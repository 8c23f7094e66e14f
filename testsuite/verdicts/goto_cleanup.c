// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Whatever fails, all that was taken is given back, in the way of the Linux kernel.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static int taken = 0;
static int take(void) {
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    taken++;
    return 0;
}
static int setup(void) {
    if (take())
        goto none;
    if (take())
        goto one;
    if (take())
        goto two;
    return 0;
two:
    taken--;
one:
    taken--;
none:
    return -1;
}
int main(void) {
    int result = setup();
    if (result != 0 && taken != 0)
        reach_error();
    if (result == 0 && taken != 3)
        reach_error();
    return 0;
}
