// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// A write to an unknown element spoils the array, and nothing else.
extern void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int guard = 7;
    int counts[4] = {0, 0, 0, 0};
    for (int round = 0; round < 3; round++) {
        unsigned i = __VERIFIER_nondet_uint() % 4;
        counts[i]++;
    }
    if (guard != 7)
        reach_error();
    return 0;
}
