// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property builtin
// inputs: 0
// Zero has no lowest bit that is set.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    return __builtin_ctz(__VERIFIER_nondet_uint());
}
