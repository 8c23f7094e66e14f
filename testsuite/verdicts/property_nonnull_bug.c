// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property nonnull
// inputs: 0
// The function does not look at its argument, but it may not be null.
extern int __VERIFIER_nondet_int(void);
__attribute__((nonnull)) static int ignore(const int *pointer) {
    return pointer == 0;
}
int main(void) {
    int cell = 3;
    return ignore(__VERIFIER_nondet_int() ? &cell : 0);
}
