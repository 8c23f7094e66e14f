// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// A small virtual machine with a program of its own: cases that fall through, a default, nested switches.
#include <assert.h>
enum { PUSH, ADD, MUL, NEGATE, SKIP_IF_ZERO, STOP };
static const signed char code[] = {PUSH, 2, PUSH, 3, MUL, NEGATE, PUSH, 10, ADD, PUSH, 0, SKIP_IF_ZERO, NEGATE, STOP};
int main(void) {
    int stack[4], top = 0, at = 0, running = 1;
    while (running) {
        switch (code[at++]) {
        case PUSH: stack[top++] = code[at++]; break;
        case ADD:
        case MUL:
            top--;
            switch (code[at - 1]) {
            case ADD: stack[top - 1] += stack[top]; break;
            default: stack[top - 1] *= stack[top];
            }
            break;
        case SKIP_IF_ZERO:
            if (stack[--top] == 0)
                at++;
            break;
        case NEGATE: stack[top - 1] = -stack[top - 1]; break;
        default: running = 0;
        }
    }
    assert(top == 1 && stack[0] == 4);
    return 0;
}
