/* setjmp.h. A jmp_buf holds the number of the call that set it; finding the function that is still active is the front
 * end's. Signal masks are not modelled. */
#include "model.h"

#define SET_JUMP(name, ...)                                                                                            \
    MODEL_INLINE int name(unsigned long *environment __VA_ARGS__) {                                                    \
        unsigned long mark = __clew_jump_mark();                                                                       \
        *environment = mark;                                                                                           \
        return __clew_set_jump(environment, mark);                                                                     \
    }
SET_JUMP(setjmp)
SET_JUMP(_setjmp)
SET_JUMP(sigsetjmp, , __attribute__((unused)) int with_mask)
SET_JUMP(__sigsetjmp, , __attribute__((unused)) int with_mask)

#define JUMP(name)                                                                                                     \
    MODEL_INLINE MODEL_NORETURN void name(unsigned long *environment, int value) {                                     \
        __clew_jump(environment, *environment, value == 0 ? 1 : value);                                                \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
