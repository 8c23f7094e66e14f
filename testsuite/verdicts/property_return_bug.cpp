// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --property return
// inputs: 0
// One way through the function returns nothing.
extern "C" int __VERIFIER_nondet_int(void);
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}
int main() {
    return sign(__VERIFIER_nondet_int());
}
