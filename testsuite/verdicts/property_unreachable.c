// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property unreachable
// All cases are there.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    switch (__VERIFIER_nondet_int() & 1) {
    case 0:
        return 0;
    case 1:
        return 1;
    }
    __builtin_unreachable();
}
