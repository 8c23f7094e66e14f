// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property bounds
// The address behind the last element may be taken.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int cells[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 4)
        return 0;
    int *end = &cells[4];
    return cells[i] + (end == &cells[i]);
}
