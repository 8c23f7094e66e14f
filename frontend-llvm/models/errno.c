/* errno: the program has one thread, so there is one. */
#include "model.h"

int __clew_errno;

MODEL_INLINE int *__errno_location(void) {
    return &__clew_errno;
}
