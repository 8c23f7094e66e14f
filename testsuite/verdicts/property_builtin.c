// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property builtin
// The highest bit is set.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    return __builtin_ctz(__VERIFIER_nondet_uint() | 0x80000000u);
}
