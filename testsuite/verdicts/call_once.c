// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// C11: the library calls a function of the program.
#include <assert.h>
#include <threads.h>
static int hit;
static once_flag flag = ONCE_FLAG_INIT;
static void on_first(void) { hit = 1; }
int main(void) {
    call_once(&flag, on_first);
    assert(hit == 0);
    return 0;
}
