// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property conversion
// inputs: 300
// A number that does not fit into a byte loses its upper bits.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int number = __VERIFIER_nondet_int();
    unsigned char byte = number;
    return byte == 3;
}
