/* fenv.h: numbers are always rounded to nearest; any other mode is not modelled. */
#include "model.h"

enum { TO_NEAREST = 0 };

MODEL_INLINE int fegetround(void) {
    return TO_NEAREST;
}

MODEL_INLINE int fesetround(int mode) {
    if (mode != TO_NEAREST) {
        __clew_unsupported("a rounding mode other than to nearest");
    }
    return 0;
}

MODEL_INLINE int fesetenv(const void *environment) {
    (void)environment;
    __clew_unsupported("fesetenv");
    return 0;
}

MODEL_INLINE int feupdateenv(const void *environment) {
    (void)environment;
    __clew_unsupported("feupdateenv");
    return 0;
}

/* What is raised is not tracked. */
MODEL_INLINE int feclearexcept(int exceptions) {
    (void)exceptions;
    return __clew_any_int();
}

MODEL_INLINE int feraiseexcept(int exceptions) {
    (void)exceptions;
    return __clew_any_int();
}

MODEL_INLINE int fetestexcept(int exceptions) {
    return __clew_any_int() & exceptions;
}
