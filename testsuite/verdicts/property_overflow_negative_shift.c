// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property overflow
// To shift a negative number is undefined, but no overflow if the product is representable.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -8 || x > 8)
        return 0;
    return (x << 2) == 12;
}
