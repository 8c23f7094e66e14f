/* Compares the library models with the C library of this machine. Implements the primitives of model.h natively. */
#include "harness.h"

#include <math.h>

#include <stdarg.h>

static unsigned long checks, mismatches;
const long double *chosen_real;
bool assumption_failed;
jmp_buf trial;
bool trial_running;

void check(bool holds, const char *format, ...) {
    checks++;
    if (holds) {
        return;
    }
    mismatches++;
    /* A few of each kind. */
    static const char *last;
    static int shown;
    shown = format == last ? shown + 1 : 1;
    last = format;
    if (shown <= 3) {
        va_list arguments;
        va_start(arguments, format);
        fprintf(stderr, "mismatch: ");
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
        va_end(arguments);
    }
}

uint64_t random_bits(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

unsigned random_below(unsigned bound) {
    return (unsigned)((random_bits() >> 33) % bound);
}

/* The size stands 16 bytes before the object, which starts with unknown bytes. */
void *__clew_new_object(size_t bytes) {
    char *block = malloc(bytes + 16);
    if (block == NULL) {
        abort();
    }
    memcpy(block, &bytes, sizeof bytes);
    memset(block + 16, (int)random_below(256), bytes);
    return block + 16;
}

void *__clew_unknown_object(size_t bytes) {
    return __clew_new_object(bytes);
}

size_t __clew_object_size(const void *object) {
    size_t bytes;
    memcpy(&bytes, (const char *)object - 16, sizeof bytes);
    return bytes;
}

void __clew_assume(bool fact) {
    if (!fact && trial_running) {
        longjmp(trial, 1);
    }
    assumption_failed |= !fact;
}

void __clew_fact(bool fact) {
    __clew_assume(fact);
}

static void stop(const char *what) {
    fprintf(stderr, "a model stopped: %s\n", what);
    exit(1);
}

void __clew_error(const char *kind, const char *message) {
    (void)kind;
    stop(message);
}

void __clew_false_claim(const char *kind, const char *message, const char *claim) {
    (void)kind, (void)message;
    stop(claim);
}

void __clew_free(void *object) {
    (void)object;
}

size_t __clew_object_offset(const void *pointer) {
    (void)pointer;
    stop("the object of a pointer");
    return 0;
}

size_t __clew_object_bytes(const void *pointer) {
    return __clew_object_offset(pointer);
}

unsigned long __clew_jump_mark(void) { return 1; }
int __clew_set_jump(void *environment, unsigned long mark) { return environment == NULL || mark == 0; }
void __clew_jump(void *environment, unsigned long mark, int value) {
    (void)environment, (void)mark, (void)value;
    abort();
}
void __clew_unsupported(const char *what) {
    stop(what);
}

void __clew_run_destructors(void) {}

void __clew_halt(void) {
    stop("halt");
}

#define WHOLE(name, type)                                                                                              \
    type __clew_any_##name(void) { return (type)(random_bits() >> random_below(64)); }                                 \
    type __clew_input_##name(void) { return (type)random_bits(); }
#define REAL(name, type)                                                                                               \
    type __clew_any_##name(void) { return (type)(chosen_real ? *chosen_real : (long double)random_bits()); }           \
    type __clew_input_##name(void) { return (type)random_bits(); }
WHOLE(char, char)
WHOLE(schar, signed char)
WHOLE(uchar, unsigned char)
WHOLE(short, short)
WHOLE(ushort, unsigned short)
WHOLE(int, int)
WHOLE(uint, unsigned)
WHOLE(long, long)
WHOLE(ulong, unsigned long)
WHOLE(longlong, long long)
WHOLE(ulonglong, unsigned long long)
REAL(float, float)
REAL(double, double)
REAL(longdouble, long double)
bool __clew_any_bool(void) { return random_below(2); }
bool __clew_input_bool(void) { return random_below(2); }
void *__clew_any_pointer(void) { return (void *)(uintptr_t)random_bits(); }
void *__clew_input_pointer(void) { return (void *)(uintptr_t)random_bits(); }

#define MATH(function)                                                                                                 \
    double __clew_math_##function##_double(double x) { return function(x); }                                           \
    float __clew_math_##function##_float(float x) { return function##f(x); }
#define MATH2(function)                                                                                                \
    double __clew_math_##function##_double(double x, double y) { return function(x, y); }                              \
    float __clew_math_##function##_float(float x, float y) { return function##f(x, y); }
MATH(sin) MATH(cos) MATH(tan) MATH(asin) MATH(acos) MATH(atan) MATH(sinh) MATH(cosh) MATH(tanh)
MATH(exp) MATH(exp2) MATH(expm1) MATH(log) MATH(log2) MATH(log10) MATH(log1p) MATH(cbrt)
MATH2(pow) MATH2(atan2) MATH2(hypot)

/* The harness rounds to nearest. */
int __clew_rounding(void) { return 0; }
void __clew_set_rounding(int mode) { (void)mode; }
void __clew_nearest_only(void) {}
double __clew_rint_double(double x) { return rint(x); }
float __clew_rint_float(float x) { return rintf(x); }
long double __clew_rint_extended(long double x) { return rintl(x); }

int main(void) {
    test_strings();
    test_memory();
    test_characters();
    test_allocation();
    test_numbers();
    test_sorting();
    test_formatting();
    test_text();
    test_math();
    test_loose();
    test_containers();
    test_posix();
    if (mismatches > 0) {
        fprintf(stderr, "%lu of %lu checks failed\n", mismatches, checks);
        return 1;
    }
    printf("%lu checks passed\n", checks);
    return 0;
}
