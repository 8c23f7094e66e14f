// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: -1,-2
// A small integer that comes without a declaration keeps its sign.
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_schar(), y = __VERIFIER_nondet_short();
    if (x < 0 && y < 0)
        reach_error();
    return 0;
}
