/* fenv.h: rounding to whole numbers follows the mode; other arithmetic is modelled in the mode to nearest alone. */
#include "model.h"

/* On x86, modes are two bits. */
enum { TO_NEAREST = 0, MODES = 0xc00 };

MODEL_INLINE int fegetround(void) {
    return __clew_rounding();
}

MODEL_INLINE int fesetround(int mode) {
    if (mode & ~MODES) {
        return 1;
    }
    __clew_set_rounding(mode);
    return 0;
}

/* FE_DFL_ENV is the environment at the start of a program. */
MODEL_INLINE int fesetenv(const void *environment) {
    if (environment != (const void *)-1) {
        __clew_unsupported("fesetenv");
    }
    __clew_set_rounding(TO_NEAREST);
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
