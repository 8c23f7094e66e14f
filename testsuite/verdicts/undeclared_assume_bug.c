// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// inputs: 2,4294967296,0.5
// No assumption excludes these inputs, though the lowest bit of each argument is zero.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume();
int main(void) {
    int x = __VERIFIER_nondet_int();
    __CPROVER_assume(x & 6);
    long y = __VERIFIER_nondet_long();
    __VERIFIER_assume(y);
    double z = __VERIFIER_nondet_double();
    clew_assume(z);
    clew_assume(&x);
    if (x == 2 && y == 4294967296 && z == 0.5)
        reach_error();
    return 0;
}
