// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE, value+predicate SAFE
// truth: safe
// The conventions are declared as C++ functions, without extern "C".
void reach_error();
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int();
unsigned char __VERIFIER_nondet_uchar();
int main() {
    int mode = __VERIFIER_nondet_int();
    __VERIFIER_assume(mode == 3);
    if (mode != 3)
        reach_error();
    int small = __VERIFIER_nondet_uchar();
    if (small == 256)
        reach_error();
}
