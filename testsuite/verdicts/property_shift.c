// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property shift
// The distance is masked, and what is shifted stays in range.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int distance = __VERIFIER_nondet_int() & 7;
    return ((3 << distance) >> distance) + (-5 >> distance) == 3;
}
