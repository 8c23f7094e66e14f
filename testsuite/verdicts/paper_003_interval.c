// expect: value SAFE, value-full SAFE, predicate SAFE, value+predicate SAFE
// truth: safe
// flags: --time-limit 20s --select good-domain,long
// Section 6 of paper 003: it matters that `level` stays within an interval. Values enumerate it, one predicate is enough.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int level = 0;
    while (__VERIFIER_nondet_int()) {
        if (level < 1000)
            level++;
        if (level > 1000)
            reach_error();
    }
    return 0;
}
