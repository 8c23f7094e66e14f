// expect: value UNKNOWN, value-full UNKNOWN, predicate UNKNOWN, value+predicate SAFE
// truth: safe
// flags: --time-limit 12s --value-threshold 1000
// The phases of the machine are one value after the other, too many for predicates; how the counter compares with the limit,
// no value tells.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned limit = __VERIFIER_nondet_uint(), count = 0;
    unsigned phase = 1, last = 0;
    while (phase != 0) {
        if (__VERIFIER_nondet_int() && count < limit)
            count++;
        if (count > limit)
            reach_error();
        last = phase;
        phase = (phase * 5 + 1) % 256;
    }
    if (last != 51)
        reach_error();
    return 0;
}
