// expect: value UNKNOWN, value-full UNKNOWN
// truth: safe
// The target is in an activation that has returned, though another activation of the function is there.
#include <assert.h>
#include <setjmp.h>

static jmp_buf first, second;
static int calls;

static void visit(jmp_buf *target) {
    calls++;
    if (setjmp(*target) != 0) {
        assert(calls == 2);
        return;
    }
    if (calls == 2)
        longjmp(first, 1);
}

int main(void) {
    visit(&first);
    visit(&second);
    return 0;
}
