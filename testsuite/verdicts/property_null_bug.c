// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property null
// inputs: 0
// One of two ways leaves the pointer null.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int cell = 3;
    int *pointer = 0;
    if (__VERIFIER_nondet_int())
        pointer = &cell;
    return *pointer;
}
