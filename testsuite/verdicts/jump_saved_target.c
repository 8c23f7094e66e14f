// expect: value SAFE, value-full SAFE
// truth: safe
// Recursive activations that share one jmp_buf, saved and restored.
#include <assert.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf target;

static int descend(int depth) {
    jmp_buf saved;
    memcpy(saved, target, sizeof target);
    int code = setjmp(target);
    if (code != 0) {
        memcpy(target, saved, sizeof target);
        if (depth < 2)
            longjmp(target, code + 1);
        return code * 10 + depth;
    }
    if (depth == 0)
        longjmp(target, 1);
    descend(depth - 1);
    return -1;
}

int main(void) {
    assert(descend(2) == 32);
    return 0;
}
