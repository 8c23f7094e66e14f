// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property vla-bound
// inputs: 0
// An array has at least one element.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length > 10)
        return 0;
    int cells[length];
    return sizeof cells == 4;
}
