// Conditions with && and ||, in loops, in branches and as values; comparisons with and without sign.
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned m = __VERIFIER_nondet_uint();
    int i;
    for (i = 0; i < n && m != 7; i++)
        m /= 2;
    if (n > 3 || (m > 3 && !i))
        n = m < 10;
    return n ? i : -1;
}
