// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property load
// inputs: 2
// A byte of 2 is no truth value.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    union {
        unsigned char byte;
        _Bool truth;
    } both;
    both.byte = __VERIFIER_nondet_uchar();
    return both.truth;
}
