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
 * `clew check main.c` decides whether an assertion can fail. The same program also runs natively, without Clew: compile
 * it with -DCLEW_NATIVE, and each clew_any_... reads the next number from standard input. When there is no more, it is 0,
 * or random with the seed that the environment variable CLEW_SEED gives. A failed assertion aborts, and a false
 * assumption ends the program, because such a run does not count.
 *
 * A proof is a function with the mark CLEW_PROOF, without parameters or with any. `clew check` starts there if there is no
 * main. -DCLEW_NATIVE -DCLEW_MAIN=proof adds a main that runs a proof without parameters many times with random values:
 * `./a.out [RUNS [SEED]]`. */
#ifndef CLEW_H
#define CLEW_H

#ifdef __cplusplus
#define CLEW_BOOL bool
#else
#define CLEW_BOOL _Bool
#endif

/* Marks a function as a proof: an entry point that `clew check` finds if there is no main, and that Clew's compiler
 * plugin verifies. */
#ifdef __clang__
#define CLEW_PROOF __attribute__((annotate("clew_proof"), used))
#else
#define CLEW_PROOF
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

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random values after those that are given, if there is a seed. */
struct clew_random_ {
    int is_known, is_on;
    unsigned long long seed, state;
    /* Where a run ends whose assumption is false, if there are several runs. */
    int has_runs;
    jmp_buf next_run;
};
static inline struct clew_random_ *clew_random_(void) {
    static struct clew_random_ random;
    if (!random.is_known) {
        const char *seed = getenv("CLEW_SEED");
        random.is_known = 1;
        random.is_on = seed != 0;
        random.seed = random.state = seed ? strtoull(seed, 0, 0) : 0;
    }
    return &random;
}
static inline unsigned long long clew_random_bits_(void) {
    unsigned long long bits = clew_random_()->state += 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
    return bits ^ bits >> 31;
}
/* Small numbers of both signs are as likely as all others together. */
static inline int clew_random_text_(char *text) {
    unsigned long long bits = clew_random_bits_();
    long long value = bits & 1 ? (long long)(bits >> 1 & 31) - 8 : (long long)clew_random_bits_();
    if (!clew_random_()->is_on) {
        return 0;
    }
    sprintf(text, "%lld", value);
    return 1;
}

/* Whole numbers may be decimal or, after 0x, hexadecimal; wider ones are cut to the type. */
static inline int clew_next_(char *text) {
    if (!clew_random_()->has_runs && scanf("%99s", text) == 1) {
        return 1;
    }
    return clew_random_text_(text);
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
        if (clew_random_()->has_runs) {
            longjmp(clew_random_()->next_run, 1);
        }
        fprintf(stderr, "clew: an assumption is false: this run does not count\n");
        exit(0);
    }
}
static inline void clew_violation_(const char *what, const char *claim) {
    if (clew_random_()->is_on) {
        fprintf(stderr, "clew: seed %llu\n", clew_random_()->seed);
    }
    fprintf(stderr, "clew: %s%s\n", what, claim);
    abort();
}
static inline void clew_fail_(const char *claim) { clew_violation_("the assertion fails: ", claim); }
static inline void clew_unreachable_(void) { clew_violation_("the unreachable is reached", ""); }

#ifdef CLEW_MAIN
void CLEW_MAIN(void);
int main(int argc, char **argv) {
    struct clew_random_ *random = clew_random_();
    unsigned long long runs = argc > 1 ? strtoull(argv[1], 0, 0) : 10000, first = argc > 2 ? strtoull(argv[2], 0, 0) : 0;
    static unsigned long long seed, counted;
    random->is_on = random->has_runs = 1;
    for (seed = first; seed - first < runs; seed++) {
        random->seed = random->state = seed;
        if (setjmp(random->next_run) == 0) {
            CLEW_MAIN();
            counted++;
        }
    }
    fprintf(stderr, "clew: %llu of %llu runs count, none fails\n", counted, runs);
    return 0;
}
#endif

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

/* Only runs in which `fact` is true matter from here on. */
#define clew_assume(fact) clew_assume_((fact) ? 1 : 0)
/* `claim` must be true whenever execution comes here. */
#define clew_assert(claim) ((claim) ? (void)0 : clew_fail_(#claim))
/* Execution must never come here. */
#define clew_unreachable() clew_unreachable_()

/* Gives `count` bytes any values. */
static inline void clew_any_bytes(void *bytes, __SIZE_TYPE__ count) {
    for (__SIZE_TYPE__ i = 0; i < count; i++) {
        ((unsigned char *)bytes)[i] = clew_any_uchar();
    }
}
/* Makes any text of an array of `size` characters: it ends with a zero at the last of them, or before. */
static inline void clew_any_string(char *text, __SIZE_TYPE__ size) {
    for (__SIZE_TYPE__ i = 0; i + 1 < size; i++) {
        text[i] = clew_any_char();
    }
    if (size > 0) {
        text[size - 1] = 0;
    }
}

/* Any value of a type, also of a struct without pointers: clew_any(struct point). */
#ifdef __cplusplus
template <typename T> static inline T clew_any_of_(T *) {
    T value;
    clew_any_bytes(&value, sizeof(T));
    return value;
}
#define CLEW_ANY_OF_(name, type)                                                                                       \
    static inline type clew_any_of_(type *) { return clew_any_##name(); }
CLEW_FOR_EACH_TYPE(CLEW_ANY_OF_)
#undef CLEW_ANY_OF_
#define clew_any(type) clew_any_of_((type *)0)
#else
#define clew_any(type)                                                                                                 \
    _Generic(*(type *)0, _Bool: clew_any_bool(), char: clew_any_char(), signed char: clew_any_schar(),                 \
        unsigned char: clew_any_uchar(), short: clew_any_short(), unsigned short: clew_any_ushort(),                   \
        int: clew_any_int(), unsigned: clew_any_uint(), long: clew_any_long(), unsigned long: clew_any_ulong(),        \
        long long: clew_any_longlong(), unsigned long long: clew_any_ulonglong(), float: clew_any_float(),             \
        double: clew_any_double(), long double: clew_any_longdouble(),                                                 \
        default: __extension__({                                                                                       \
            type clew_value_;                                                                                          \
            clew_any_bytes(&clew_value_, sizeof clew_value_);                                                          \
            clew_value_;                                                                                               \
        }))
#endif

#endif
