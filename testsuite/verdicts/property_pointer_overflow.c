// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property pointer-overflow
// The distance is within the array.
extern long __VERIFIER_nondet_long(void);
int main(void) {
    int cells[4] = {1, 2, 3, 4};
    int *pointer = cells + (__VERIFIER_nondet_long() & 3);
    return pointer == cells;
}
