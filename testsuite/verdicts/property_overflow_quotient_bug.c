// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property overflow
// inputs: -2147483648,-1
// The divisor is not zero, but the quotient is too large. Division by zero is another kind of property.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    return x / y == 3;
}
