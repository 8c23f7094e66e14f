// expect: value UNKNOWN, value-full UNKNOWN, predicate SAFE
// truth: safe
// flags: --time-limit 5s
// A driver retries while requests come in. That it holds the lock in the end follows from `old == served` alone.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
static int locked = 0;
static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}
static void unlock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}
int main(void) {
    unsigned old, served = 0;
    do {
        lock();
        old = served;
        if (__VERIFIER_nondet_int()) {
            unlock();
            served = served + 1;
        }
    } while (old != served);
    unlock();
    return 0;
}
