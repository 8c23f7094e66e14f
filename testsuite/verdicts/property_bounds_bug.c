// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property bounds
// inputs: 4
// The array at the end of a struct has a bound too.
extern int __VERIFIER_nondet_int(void);
struct Row {
    int length;
    int cells[4];
};
int main(void) {
    struct Row row = {4, {1, 2, 3, 4}};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > row.length)
        return 0;
    return row.cells[i];
}
