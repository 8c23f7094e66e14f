// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property float-cast
// inputs: 1e10
// The number is larger than any int.
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double number = __VERIFIER_nondet_double();
    return (int)number == 3;
}
