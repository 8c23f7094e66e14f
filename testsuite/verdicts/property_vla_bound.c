// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property vla-bound
// The length is positive.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 10)
        return 0;
    int cells[length];
    return sizeof cells == 4;
}
