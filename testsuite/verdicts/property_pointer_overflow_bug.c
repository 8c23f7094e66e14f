// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property pointer-overflow
// inputs: 4611686018427387904
// The distance is larger than the address space.
extern long __VERIFIER_nondet_long(void);
int main(void) {
    int cells[4] = {1, 2, 3, 4};
    int *pointer = cells + __VERIFIER_nondet_long();
    return pointer == cells;
}
