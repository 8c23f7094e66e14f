// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property unreachable
// inputs: 3
// The cases are not all that there are.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    switch (__VERIFIER_nondet_int() & 3) {
    case 0:
    case 1:
    case 2:
        return 1;
    }
    __builtin_unreachable();
}
