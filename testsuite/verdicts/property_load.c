// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property load
// The byte is 0 or 1.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    union {
        unsigned char byte;
        _Bool truth;
    } both;
    both.byte = __VERIFIER_nondet_uchar() & 1;
    return both.truth;
}
