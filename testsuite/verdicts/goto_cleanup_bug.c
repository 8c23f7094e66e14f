// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 1,1,-1
// One label too far: what was taken second is not given back if the third fails.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static int taken = 0;
static int take(void) {
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    taken++;
    return 0;
}
int main(void) {
    if (take())
        goto none;
    if (take())
        goto one;
    if (take())
        goto one;
    return 0;
one:
    taken--;
none:
    if (taken != 0)
        reach_error();
    return 1;
}
