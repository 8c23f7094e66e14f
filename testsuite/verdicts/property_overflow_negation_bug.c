// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property overflow
// inputs: -2147483648
// The smallest number has no counterpart.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return (x < 0 ? -x : x) == 3;
}
