// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property float-cast
// Neither too large nor no number at all.
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double number = __VERIFIER_nondet_double();
    return number > -1e9 && number < 1e9 ? (int)number == 3 : 0;
}
