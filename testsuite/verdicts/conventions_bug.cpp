// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// inputs: 7
// A C++ program that defines its error function, which still must not be called.
int __VERIFIER_nondet_int();
void reach_error() {}
int main() {
    if (__VERIFIER_nondet_int() == 7)
        reach_error();
}
