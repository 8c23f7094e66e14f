// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE
// truth: safe
// flags: --property no-overflow
// Every signed operation that can overflow is guarded; unsigned ones wrap, and conversions are no operations.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    int sum = x < 2147483647 ? x + 1 : x;
    int negated = x > -2147483647 - 1 ? -x : x;
    int quotient = y > 0 ? x / y : 0;
    int shifted = x >= 0 && x < 128 ? x << 24 : 0;
    int product = x > -1000 && x < 1000 ? x * 2000 : 0;
    unsigned wrapped = (u + 1) * 3 - 7;
    int converted = (int)(wrapped << 5);
    return sum == negated || quotient == shifted || product == converted;
}
