// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// flags: --property nonnull
// Null is not passed.
extern int __VERIFIER_nondet_int(void);
__attribute__((nonnull)) static int ignore(const int *pointer) {
    return pointer == 0;
}
int main(void) {
    int cell = 3;
    const int *pointer = __VERIFIER_nondet_int() ? &cell : 0;
    return pointer ? ignore(pointer) : 0;
}
