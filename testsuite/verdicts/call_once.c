// expect: value SAFE, value-full SAFE
// truth: safe
// C11 and POSIX: the library calls a function of the program, but once.
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static int hits;
static once_flag flag = ONCE_FLAG_INIT;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static void inner(void) { hits += 10; }
static void on_first(void) {
    pthread_once(&control, inner);
    hits += 1;
}
int main(void) {
    call_once(&flag, on_first);
    pthread_once(&control, inner);
    call_once(&flag, on_first);
    assert(hits == 11);
    return 0;
}
