/* What the library models share: the primitives that the front end implements, and a few helpers.
 *
 * A model never calls another library function by its public name, because the program may define that name itself:
 * shared code lives in functions that are static or start with __clew_. */
#ifndef CLEW_MODEL_H
#define CLEW_MODEL_H

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copied into each caller, so that the points-to analysis keeps the call sites apart. */
#define MODEL_INLINE __attribute__((always_inline))
#define MODEL_NORETURN __attribute__((noreturn))
/* Models in C++ need no landing pads around these. */
#define MODEL_NOTHROW __attribute__((nothrow))

typedef ptrdiff_t ssize_t;

#ifdef __cplusplus
extern "C" {
#endif

/* A fresh heap object with unknown contents, aligned to 16. Never fails; `bytes` is at most MODEL_OBJECT_LIMIT. */
MODEL_NOTHROW void *__clew_new_object(size_t bytes);
/* The same for contents that come from outside of the program: a file, the environment, what a function chooses. */
MODEL_NOTHROW void *__clew_unknown_object(size_t bytes);
/* The size that was given to __clew_new_object for this very pointer. */
MODEL_NOTHROW size_t __clew_object_size(const void *object);
/* How far `pointer` is from the start of the object that it points into, and the size of that object; the address and 0 if
 * there is none. The size of a freed object is SIZE_MAX. */
MODEL_NOTHROW size_t __clew_object_offset(const void *pointer);
MODEL_NOTHROW size_t __clew_object_bytes(const void *pointer);
/* The heap object is freed. Its place is never used again, so only the two functions above notice. */
MODEL_NOTHROW void __clew_free(void *object);
/* Executions in which `fact` is false are not asked for: the program says so. */
MODEL_NOTHROW void __clew_assume(bool fact);
/* Executions in which `fact` is false do not exist: it is what the real function guarantees. */
MODEL_NOTHROW void __clew_fact(bool fact);
/* The property named by the first literal is violated here; the second literal says how. */
MODEL_NOTHROW MODEL_NORETURN void __clew_error(const char *kind, const char *message);
/* The same for a claim of the program, whose text is known if it is a literal there. */
MODEL_NOTHROW MODEL_NORETURN void __clew_false_claim(const char *kind, const char *message, const char *claim);
/* The program ends here, which is no error. */
MODEL_NOTHROW MODEL_NORETURN void __clew_halt(void);
/* What happens next is not modelled: the verdict becomes UNKNOWN. */
MODEL_NOTHROW MODEL_NORETURN void __clew_unsupported(const char *what);

/* fenv.h: the rounding mode, as numbered there; a number rounded to a whole one in this mode; and behaviour that is
 * modelled in the mode to nearest alone. LLVM would round constants to nearest when it inlines a model. */
MODEL_NOTHROW double __clew_rint_double(double x);
MODEL_NOTHROW float __clew_rint_float(float x);
MODEL_NOTHROW long double __clew_rint_extended(long double x);
MODEL_NOTHROW int __clew_rounding(void);
MODEL_NOTHROW void __clew_set_rounding(int mode);
MODEL_NOTHROW void __clew_nearest_only(void);

/* setjmp.h: a number for the call of __clew_set_jump that is given it; that call, which may return again; and a jump to
 * the call whose number is `mark`, as set with this very `environment`. */
MODEL_NOTHROW unsigned long __clew_jump_mark(void);
MODEL_NOTHROW int __clew_set_jump(void *environment, unsigned long mark);
MODEL_NOTHROW MODEL_NORETURN void __clew_jump(void *environment, unsigned long mark, int value);

/* __clew_any_T: an unknown value from the environment; __clew_input_T: a user input. */
#define MODEL_FOR_EACH_TYPE(X)                                                                                         \
    X(bool, bool) X(char, char) X(schar, signed char) X(uchar, unsigned char) X(short, short)                          \
    X(ushort, unsigned short) X(int, int) X(uint, unsigned) X(long, long) X(ulong, unsigned long)                      \
    X(longlong, long long) X(ulonglong, unsigned long long) X(float, float) X(double, double)                          \
    X(longdouble, long double) X(pointer, void *)
#define MODEL_DECLARE_UNKNOWN(name, type)                                                                              \
    MODEL_NOTHROW type __clew_any_##name(void);                                                                        \
    MODEL_NOTHROW type __clew_input_##name(void);
MODEL_FOR_EACH_TYPE(MODEL_DECLARE_UNKNOWN)

/* May a printing function run with this format without writing to memory, which only %n does? stdio.c scans the format;
 * the front end may answer at once when the format is a literal. */
MODEL_NOTHROW bool __clew_prints_only(const char *format);
/* Registered by atexit, on_exit and __cxa_atexit: runs what was registered last first, then destructors (exit.c). */
void __clew_run_atexit(void);
/* Runs the functions with the attribute `destructor`; the front end knows them. */
void __clew_run_destructors(void);

/* errno lives in errno.c. */
extern int __clew_errno;
enum {
    MODEL_EINTR = 4, MODEL_ENOMEM = 12, MODEL_EINVAL = 22, MODEL_EDOM = 33, MODEL_ERANGE = 34, MODEL_EOVERFLOW = 75,
};

#define MODEL_OBJECT_LIMIT ((size_t)PTRDIFF_MAX / 2)
#define MODEL_OBJECT_ALIGNMENT 16
#define MODEL_EOF (-1)

static inline MODEL_INLINE size_t model_any_size(void) {
    return (size_t)__clew_any_ulong();
}

/* An unknown size that is at most `most`. */
static inline MODEL_INLINE size_t model_any_size_to(size_t most) {
    size_t size = model_any_size();
    __clew_fact(size <= most);
    return size;
}

static inline MODEL_INLINE int model_any_int_between(int least, int most) {
    int value = __clew_any_int();
    __clew_fact(least <= value && value <= most);
    return value;
}

/* A library function may change errno even if it succeeds, as input and output do. */
static inline MODEL_INLINE void model_disturb_errno(void) {
    __clew_errno = __clew_any_int();
}

/* The result of a system call without data: 0, or -1 with some errno. */
static inline MODEL_INLINE int model_any_status(void) {
    if (__clew_any_bool()) {
        return 0;
    }
    __clew_errno = model_any_int_between(1, 4095);
    return -1;
}

static inline MODEL_INLINE void *model_allocate(size_t bytes) {
    if (bytes > MODEL_OBJECT_LIMIT) {
        __clew_errno = MODEL_ENOMEM;
        return NULL;
    }
    return __clew_new_object(bytes);
}

/* Makes `bytes` bytes unknown: the contents of a fresh object are, and copying them needs no loop here. */
static inline MODEL_INLINE void model_fill_unknown(void *to, size_t bytes) {
    __builtin_memcpy(to, __clew_unknown_object(bytes), bytes);
}

/* An unknown string in a fresh object. Linux limits a single environment string to 128 KiB, which serves for all. */
static inline MODEL_INLINE char *model_any_string(void) {
    size_t length = model_any_size_to(131071);
    char *string = (char *)__clew_unknown_object(length + 1);
    string[length] = '\0';
    return string;
}

static inline MODEL_INLINE MODEL_NOTHROW size_t model_length(const char *string) {
    size_t length = 0;
    while (string[length] != '\0') {
        length++;
    }
    return length;
}

static inline MODEL_INLINE bool model_is_digit(int c) {
    return '0' <= c && c <= '9';
}

static inline MODEL_INLINE bool model_is_upper(int c) {
    return 'A' <= c && c <= 'Z';
}

static inline MODEL_INLINE bool model_is_lower(int c) {
    return 'a' <= c && c <= 'z';
}

static inline MODEL_INLINE bool model_is_space(int c) {
    return c == ' ' || ('\t' <= c && c <= '\r');
}

static inline MODEL_INLINE int model_to_lower(int c) {
    return model_is_upper(c) ? c + ('a' - 'A') : c;
}

static inline MODEL_INLINE int model_to_upper(int c) {
    return model_is_lower(c) ? c - ('a' - 'A') : c;
}

#ifdef __cplusplus
}
#endif

#endif
