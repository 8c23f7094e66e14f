// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN, k-induction UNKNOWN
// truth: safe
// flags: --max-recursion 10
// How deep it goes depends on an input; the result is the input in any case.
extern void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);
static unsigned depth(unsigned n) {
    if (n == 0)
        return 0;
    return depth(n - 1) + 1;
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    if (depth(n) != n)
        reach_error();
    return 0;
}
