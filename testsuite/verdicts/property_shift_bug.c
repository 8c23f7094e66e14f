// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property shift
// inputs: 32
// The distance is as large as the width.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int distance = __VERIFIER_nondet_int();
    return 1u << distance == 8;
}
