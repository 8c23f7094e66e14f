/* assert.h, and the functions that SV-COMP and CBMC programs use to say what they assume and claim. */
#include "model.h"

MODEL_NORETURN void __assert_fail(const char *claim, const char *file, unsigned line, const char *function) {
    (void)file, (void)line, (void)function;
    __clew_false_claim("assert", "assertion fails", claim);
}

MODEL_NORETURN void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error, (void)file, (void)line, (void)function;
    __clew_error("assert", "assertion fails");
}

MODEL_NORETURN void __assert(const char *claim, const char *file, int line) {
    (void)file, (void)line;
    __clew_false_claim("assert", "assertion fails", claim);
}

MODEL_NORETURN void __assert_rtn(const char *function, const char *file, int line, const char *claim) {
    (void)function, (void)file, (void)line;
    __clew_false_claim("assert", "assertion fails", claim);
}

MODEL_INLINE void __VERIFIER_assume(int fact) {
    __clew_assume(fact != 0);
}

MODEL_INLINE void __VERIFIER_assert(int claim) {
    if (claim == 0) {
        __clew_error("unreach-call", "the claim of __VERIFIER_assert is false");
    }
}

MODEL_NORETURN void __VERIFIER_error(void) {
    __clew_error("unreach-call", "__VERIFIER_error is reached");
}

MODEL_NORETURN void reach_error(void) {
    __clew_error("unreach-call", "reach_error is reached");
}

/* The front end passes the truth value of the first argument. */
MODEL_INLINE void clew_claim_(int claim) {
    if (claim == 0) {
        __clew_error("assert", "assertion fails");
    }
}

MODEL_INLINE void __CPROVER_assume(int fact) {
    __clew_assume(fact != 0);
}

MODEL_INLINE void __CPROVER_assert(int claim, const char *description) {
    if (claim == 0) {
        __clew_false_claim("assert", "assertion fails", description);
    }
}

MODEL_INLINE void __CPROVER_precondition(int claim, const char *description) {
    if (claim == 0) {
        __clew_false_claim("assert", "precondition fails", description);
    }
}

MODEL_INLINE void __CPROVER_postcondition(int claim, const char *description) {
    if (claim == 0) {
        __clew_false_claim("assert", "postcondition fails", description);
    }
}

/* Without threads, all is atomic. */
MODEL_INLINE void __VERIFIER_atomic_begin(void) {}

MODEL_INLINE void __VERIFIER_atomic_end(void) {}

/* clew.h */
MODEL_INLINE void clew_assume_(int fact) {
    __clew_assume(fact != 0);
}

MODEL_NORETURN void clew_fail_(const char *claim) {
    __clew_false_claim("assert", "assertion fails", claim);
}

MODEL_NORETURN void clew_unreachable_(void) {
    __clew_error("unreach-call", "clew_unreachable is reached");
}
