// A lock that is taken and released in turns. The last round forgets to release it: a bug that needs three rounds.
#include <clew.h>

static int locked = 0;

static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

static void unlock(void) { locked = 0; }

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    for (int i = 0; i < rounds; i++) {
        lock();
        if (i != 2)
            unlock();
    }
    return 0;
}
