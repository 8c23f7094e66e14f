// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property alignment
// inputs: 1
// An int in the middle of bytes is not aligned.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    _Alignas(int) char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 4)
        return 0;
    return *(int *)(bytes + at) == 3;
}
