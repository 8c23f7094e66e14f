// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// A variable is set on one way only; without it any value can be there.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int limit;
    if (__VERIFIER_nondet_int() > 5)
        limit = 10;
    if (limit == 42)
        reach_error();
    return 0;
}
