// expect: value UNKNOWN, value-full UNKNOWN
// truth: safe
// A function that waits for its own end never gets further.
#include <assert.h>
#include <pthread.h>
static int hits;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static void start(void) {
    if (++hits == 2)
        return;
    pthread_once(&control, start);
}
int main(void) {
    pthread_once(&control, start);
    assert(0);
    return 0;
}
