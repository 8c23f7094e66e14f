// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property unsigned-overflow
// inputs: 0
// A length of zero has no last index.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    unsigned last = length - 1;
    return last == 3;
}
