/* clew.h: say what your program may assume, what it must hold, and which values are unknown.
 *
 *     #include <clew.h>
 *
 *     int main(void) {
 *         int n = clew_any_int();         // any int: Clew considers them all
 *         clew_assume(n > 0 && n < 100);  // but only these matter
 *         int sum = 0;
 *         for (int i = 0; i <= n; i++) sum += i;
 *         clew_assert(2 * sum == n * (n + 1));
 *     }
 *
 * `clew check main.c` decides whether an assertion can fail. The same program also runs natively: compile it with
 * -DCLEW_NATIVE, and each clew_any_... reads the next number from standard input (0 when there is no more). A failed
 * assertion then aborts, and a false assumption ends the program, because such a run does not count. */
#ifndef CLEW_H
#define CLEW_H

#ifdef __cplusplus
#define CLEW_BOOL bool
#else
#define CLEW_BOOL _Bool
#endif

/* All types of which there are unknown values: clew_any_NAME() has TYPE. */
#define CLEW_FOR_EACH_TYPE(X)                                                                                          \
    X(bool, CLEW_BOOL)                                                                                                 \
    X(char, char)                                                                                                      \
    X(schar, signed char)                                                                                              \
    X(uchar, unsigned char)                                                                                            \
    X(short, short)                                                                                                    \
    X(ushort, unsigned short)                                                                                          \
    X(int, int)                                                                                                        \
    X(uint, unsigned)                                                                                                  \
    X(long, long)                                                                                                      \
    X(ulong, unsigned long)                                                                                            \
    X(longlong, long long)                                                                                             \
    X(ulonglong, unsigned long long)                                                                                   \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(longdouble, long double)

#ifdef CLEW_NATIVE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers may be decimal or, after 0x, hexadecimal; wider ones are cut to the type. */
static inline int clew_next_(char *text) {
    return scanf("%99s", text) == 1;
}
static inline long long clew_next_bool_(const char *text) { return strtoll(text, 0, 0) != 0; }
static inline long long clew_next_whole_(const char *text) {
    return text[0] == '-' ? strtoll(text, 0, 0) : (long long)strtoull(text, 0, 0);
}
static inline long double clew_next_real_(const char *text) { return strtold(text, 0); }
#define clew_next_char_ clew_next_whole_
#define clew_next_schar_ clew_next_whole_
#define clew_next_uchar_ clew_next_whole_
#define clew_next_short_ clew_next_whole_
#define clew_next_ushort_ clew_next_whole_
#define clew_next_int_ clew_next_whole_
#define clew_next_uint_ clew_next_whole_
#define clew_next_long_ clew_next_whole_
#define clew_next_ulong_ clew_next_whole_
#define clew_next_longlong_ clew_next_whole_
#define clew_next_ulonglong_ clew_next_whole_
#define clew_next_float_ clew_next_real_
#define clew_next_double_ clew_next_real_
#define clew_next_longdouble_ clew_next_real_

#define CLEW_DEFINE_(name, type)                                                                                       \
    static inline type clew_any_##name(void) {                                                                         \
        char text[100];                                                                                                \
        return clew_next_(text) ? (type)clew_next_##name##_(text) : (type)0;                                           \
    }
CLEW_FOR_EACH_TYPE(CLEW_DEFINE_)
#undef CLEW_DEFINE_

static inline void clew_assume_(int fact) {
    if (!fact) {
        fprintf(stderr, "clew: an assumption is false: this run does not count\n");
        exit(0);
    }
}
static inline void clew_fail_(const char *claim) {
    fprintf(stderr, "clew: the assertion fails: %s\n", claim);
    abort();
}
static inline void clew_unreachable_(void) {
    fprintf(stderr, "clew: the unreachable is reached\n");
    abort();
}

#else

#ifdef __cplusplus
extern "C" {
#endif

/* clew_any_int() and the like: an unknown value, the program's input. */
#define CLEW_DECLARE_(name, type) type clew_any_##name(void);
CLEW_FOR_EACH_TYPE(CLEW_DECLARE_)
#undef CLEW_DECLARE_

/* Use the macros below. */
void clew_assume_(int fact);
void clew_fail_(const char *claim);
void clew_unreachable_(void);

#ifdef __cplusplus
}
#endif

#endif

/* A function that Clew's compiler plugin verifies: CLEW_PROOF void f(void) { ... } */
#ifndef CLEW_PROOF
#ifdef __clang__
#define CLEW_PROOF __attribute__((annotate("clew.proof"), used))
#else
#define CLEW_PROOF
#endif
#endif

/* Only runs in which `fact` is true matter from here on. */
#define clew_assume(fact) clew_assume_((fact) ? 1 : 0)
/* `claim` must be true whenever execution comes here. */
#define clew_assert(claim) ((claim) ? (void)0 : clew_fail_(#claim))
/* Execution must never come here. */
#define clew_unreachable() clew_unreachable_()

#endif
