// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 5
// An input chooses the element of an array, and one of them is wrong.
extern void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
static const short prices[8] = {3, 1, 4, 1, 5, -9, 2, 6};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 8)
        return 0;
    if (prices[i] < 0)
        reach_error();
    return 0;
}
