// expect: value SAFE, value-full SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Four locks, each taken if it is wanted and then given back, again and again.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int lock1, lock2, lock3, lock4;
    while (1) {
        int want1 = __VERIFIER_nondet_int(), want2 = __VERIFIER_nondet_int();
        int want3 = __VERIFIER_nondet_int(), want4 = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int() == 0)
            return 0;
        lock1 = 0;
        lock2 = 0;
        lock3 = 0;
        lock4 = 0;
        if (want1 == 1)
            lock1 = 1;
        if (want2 == 1)
            lock2 = 1;
        if (want3 == 1)
            lock3 = 1;
        if (want4 == 1)
            lock4 = 1;
        if (lock1 != 0 && lock1 != 1)
            reach_error();
        if (lock2 != 0 && lock2 != 1)
            reach_error();
        if (lock3 != 0 && lock3 != 1)
            reach_error();
        if (lock4 != 0 && lock4 != 1)
            reach_error();
    }
}
