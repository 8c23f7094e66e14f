// expect: value UNKNOWN, value-full UNKNOWN, predicate SAFE, value+predicate SAFE
// truth: safe
// flags: --time-limit 10s
// Which handler is called is not known, but there are few: none of them has been set.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int handlers[5];

int main(void) {
    for (int i = 0; i < 5; i++) {
        handlers[i] = 0;
    }
    while (__VERIFIER_nondet_int()) {
        unsigned short at = __VERIFIER_nondet_int();
        if (at < 5 && handlers[at]) {
            reach_error();
        }
    }
    return 0;
}
