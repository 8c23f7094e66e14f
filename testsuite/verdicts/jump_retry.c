// expect: value SAFE, value-full SAFE
// truth: safe
// A loop made of jumps.
#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

static sigjmp_buf again;
static int failures;

static void attempt(void) {
    if (__VERIFIER_nondet_int()) {
        failures++;
        siglongjmp(again, failures);
    }
}

int main(void) {
    int code = sigsetjmp(again, 0);
    assert(code == failures);
    if (failures < 3)
        attempt();
    assert(failures <= 3);
    return 0;
}
