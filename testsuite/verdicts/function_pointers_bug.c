// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 2,7
// A table of operations, of which an input takes one; the last one does not keep numbers positive.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static int same(int x) { return x; }
static int next(int x) { return x < 100 ? x + 1 : x; }
static int opposite(int x) { return -x; }
static int (*const operations[])(int) = {same, next, opposite};
int main(void) {
    int which = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (which < 0 || which > 2 || x < 1)
        return 0;
    if (operations[which](x) < 1)
        reach_error();
    return 0;
}
