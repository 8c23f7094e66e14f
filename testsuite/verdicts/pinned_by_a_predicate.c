// expect: value UNKNOWN, value-full UNKNOWN, predicate SAFE, value+predicate SAFE, value-full+predicate SAFE
// truth: safe
// flags: --time-limit 5s
// Values do not see what `level` is, as they do not solve equations. Predicates do; from the head of the loop on it is a
// known value, with which the values of `next` are known too.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int level = __VERIFIER_nondet_int();
    int raised = level + 1;
    if (raised != 4) {
        return 0;
    }
    int next = level;
    while (__VERIFIER_nondet_int()) {
        if (next == 3) {
            next = level * 2;
        } else if (next == 6) {
            next = level;
        } else {
            reach_error();
        }
    }
    return 0;
}
