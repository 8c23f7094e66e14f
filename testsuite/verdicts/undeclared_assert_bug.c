// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// inputs: 7
// Without assert.h, `assert` is an assertion all the same, and no function of another library.
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    return 0;
}
