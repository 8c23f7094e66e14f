// A lock that is taken and released in turns. The third round forgets to release it: a bug that needs four rounds.
#include <clew.h>

static int locked = 0;

static void lock(void) {
    clew_assert(!locked);
    locked = 1;
}

static void unlock(void) { locked = 0; }

int main(void) {
    int rounds = clew_any_int();
    for (int i = 0; i < rounds; i++) {
        lock();
        if (i != 2)
            unlock();
    }
    return 0;
}
