// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property overflow
// inputs: 200
// The byte is an int before it is shifted.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    unsigned word = byte << 24;
    return word == 3;
}
