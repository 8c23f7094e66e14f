// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property return
// The end of the function is not reached.
extern "C" int __VERIFIER_nondet_int(void);
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x <= 0)
        return -1;
}
int main() {
    return sign(__VERIFIER_nondet_int());
}
