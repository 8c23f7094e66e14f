// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// flags: --solver z3
// Values cannot exclude the first path to an error, nor find the inputs of the second one: symbolic execution does.
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < b && b < a)
        reach_error();
    int rounds = 0;
    while (rounds < 5 && a > 7 * rounds)
        rounds++;
    if (rounds == 5 && a - b == 1234)
        reach_error();
    return 0;
}
