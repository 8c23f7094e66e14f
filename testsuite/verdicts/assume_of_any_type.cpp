// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 4294967296
// Declarations of the program decide what is passed; the truth value of that counts. In the second case, it is wrong.
void __VERIFIER_assume(unsigned long long);
extern "C" unsigned long long __VERIFIER_nondet_ulonglong();
void assert(bool);
void assert(unsigned long long *);
struct Guard {
    ~Guard() {}
};
int main() {
    Guard guard;
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    __VERIFIER_assume(x);
    assert(&x);
    assert((unsigned)x != 0);
}
