// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 1.5
// A certain number is needed.
extern void reach_error(void);
float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x + 0.5f == 2.0f && x < 1.75f)
        reach_error();
    return 0;
}
