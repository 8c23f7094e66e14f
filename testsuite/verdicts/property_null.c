// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// flags: --property null
// The pointer is tested first.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int cell = 3;
    int *pointer = 0;
    if (__VERIFIER_nondet_int())
        pointer = &cell;
    return pointer ? *pointer : 0;
}
