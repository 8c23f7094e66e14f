// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: -3
// What is thrown skips the line that would have given the lock back.
extern "C" void reach_error(void);
extern "C" int __VERIFIER_nondet_int(void);
static bool locked = false;
static int root(int x) {
    if (x < 0)
        throw "negative";
    int r = 0;
    while (r < 10 && r * r < x)
        r++;
    return r;
}
int main() {
    try {
        locked = true;
        root(__VERIFIER_nondet_int());
        locked = false;
    } catch (const char *) {
    }
    if (locked)
        reach_error();
}
