// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property unsigned-overflow
// Signed overflow is another kind of property.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    int x = __VERIFIER_nondet_int();
    unsigned last = length > 0 ? length - 1 : 0;
    return last == 3 && x + 1 > x;
}
