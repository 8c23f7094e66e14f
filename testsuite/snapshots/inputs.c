// Inputs of several types, an assumption, and an error location.
extern void reach_error(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_long(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 100);
    long l = __VERIFIER_nondet_long();
    double d = __VERIFIER_nondet_double();
    if (__VERIFIER_nondet_bool())
        d = n * 0.5;
    if (l == n && d > 10.0)
        reach_error();
    return 0;
}
