// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property alignment,null
// Only multiples of four are used.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    _Alignas(int) char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int at = __VERIFIER_nondet_int() ? 4 : 0;
    return *(int *)(bytes + at) == 3;
}
