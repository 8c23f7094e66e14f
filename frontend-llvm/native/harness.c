#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The next input, for a call of `function`. */
static void clew_next(const char *function, void *to, size_t size) {
    const struct clew_input *input = &clew_inputs[clew_used];
    if (input->function == NULL) {
        dprintf(clew_out, "clew: no input is left for %s\n", function);
        _exit(3);
    }
    if (strcmp(input->function, function) != 0) {
        dprintf(clew_out, "clew: input %u is for %s, not for %s\n", clew_used + 1, input->function, function);
        _exit(3);
    }
    clew_used++;
    memcpy(to, input->bits, size < sizeof input->bits ? size : sizeof input->bits);
}

/* The program may close its standard error. */
__attribute__((constructor(101))) static void clew_begin(void) {
    int copy = fcntl(2, F_DUPFD_CLOEXEC, 100);
    clew_out = copy < 0 ? 2 : copy;
}

/* Break here: the property is violated. */
__attribute__((noinline, noreturn)) static void clew_violation(const char *what) {
    dprintf(clew_out, "clew: violation %d: %s\n", clew_place, what);
    abort();
}

__attribute__((noreturn)) static void clew_undefined(const char *function) {
    dprintf(clew_out, "clew: no definition: %s\n", function);
    _exit(3);
}

CLEW_WEAK void clew_assume_(int fact) {
    if (!fact) {
        dprintf(clew_out, "clew: an assumption is false\n");
        _exit(0);
    }
}
CLEW_WEAK void __VERIFIER_assume(int fact) { clew_assume_(fact); }
CLEW_WEAK void __CPROVER_assume(int fact) { clew_assume_(fact); }

CLEW_WEAK void *clew_new_object_(size_t bytes) { return malloc(bytes); }

void clew_reached(void) { clew_violation("an error function is called"); }
void clew_trap(void) { clew_violation("undefined behaviour"); }
CLEW_WEAK void __VERIFIER_error(void) { clew_reached(); }
CLEW_WEAK void clew_unreachable_(void) { clew_reached(); }
CLEW_WEAK void clew_fail_(const char *claim) { clew_violation(claim); }
CLEW_WEAK void __VERIFIER_assert(int claim) {
    if (!claim) {
        clew_violation("assertion fails");
    }
}
CLEW_WEAK void clew_claim_(int claim) { __VERIFIER_assert(claim); }
CLEW_WEAK void __CPROVER_assert(int claim) { __VERIFIER_assert(claim); }
CLEW_WEAK void __CPROVER_precondition(int claim) { __VERIFIER_assert(claim); }
CLEW_WEAK void __CPROVER_postcondition(int claim) { __VERIFIER_assert(claim); }
CLEW_WEAK void __assert_fail(const char *claim, const char *file, unsigned line, const char *function) {
    (void)file, (void)line, (void)function;
    clew_violation(claim);
}
CLEW_WEAK void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error, (void)file, (void)line, (void)function;
    clew_violation("assertion fails");
}
CLEW_WEAK void __assert(const char *claim, const char *file, int line) {
    (void)file, (void)line;
    clew_violation(claim);
}

CLEW_WEAK void __VERIFIER_atomic_begin(void) {}
CLEW_WEAK void __VERIFIER_atomic_end(void) {}

CLEW_WEAK void __VERIFIER_nondet_memory(void *to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        clew_next("__VERIFIER_nondet_memory", (unsigned char *)to + i, 1);
    }
}
