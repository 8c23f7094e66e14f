// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property conversion
// Explicit conversions are meant, and the implicit one keeps the value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int number = __VERIFIER_nondet_int();
    unsigned char cut = (unsigned char)number;
    unsigned char byte = number >= 0 && number < 256 ? number : 0;
    return byte == cut;
}
