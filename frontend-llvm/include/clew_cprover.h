/* The vocabulary of CBMC, which its users do not declare. Clew includes this file first in programs that use it.
 *
 * Only functions and macros of the names below are known; other names that start with __CPROVER_ are unsupported. */
#ifndef CLEW_CPROVER_H
#define CLEW_CPROVER_H

#ifdef __cplusplus
extern "C" {
typedef bool __CPROVER_bool;
#else
typedef _Bool __CPROVER_bool;
#endif

typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

void __CPROVER_assume(__CPROVER_bool fact);
void __CPROVER_assert(__CPROVER_bool claim, const char *description);
void __CPROVER_precondition(__CPROVER_bool claim, const char *description);
void __CPROVER_postcondition(__CPROVER_bool claim, const char *description);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

__CPROVER_bool clew_cprover_ok(const void *pointer, __CPROVER_size_t bytes);
__CPROVER_size_t clew_cprover_object(const void *pointer);
__CPROVER_ssize_t clew_cprover_offset(const void *pointer);
__CPROVER_size_t clew_cprover_size(const void *pointer);
void clew_cprover_havoc_object(void *pointer);
void clew_cprover_havoc_slice(void *pointer, __CPROVER_size_t bytes);

#ifdef __cplusplus
}
#endif

/* With eight bits for the number of an object, which is CBMC's default. */
#define __CPROVER_max_malloc_size ((__CPROVER_size_t)1 << (sizeof(__CPROVER_size_t) * 8 - 9))

/* Without a size, that of the pointee. */
#define __CPROVER_r_ok(...) CLEW_CPROVER_SECOND(__VA_ARGS__, clew_cprover_ok, CLEW_CPROVER_OK)(__VA_ARGS__)
#define __CPROVER_w_ok(...) __CPROVER_r_ok(__VA_ARGS__)
#define __CPROVER_rw_ok(...) __CPROVER_r_ok(__VA_ARGS__)
#define CLEW_CPROVER_SECOND(first, second, name, ...) name
#define CLEW_CPROVER_OK(pointer) clew_cprover_ok((pointer), sizeof(*(pointer)))

#define __CPROVER_POINTER_OBJECT(pointer) clew_cprover_object(pointer)
#define __CPROVER_POINTER_OFFSET(pointer) clew_cprover_offset(pointer)
#define __CPROVER_OBJECT_SIZE(pointer) clew_cprover_size(pointer)
#define __CPROVER_pointer_object(pointer) clew_cprover_object(pointer)
#define __CPROVER_pointer_offset(pointer) clew_cprover_offset(pointer)
#define __CPROVER_same_object(a, b) (clew_cprover_object(a) == clew_cprover_object(b))
#define __CPROVER_havoc_object(pointer) clew_cprover_havoc_object(pointer)
#define __CPROVER_havoc_slice(pointer, bytes) clew_cprover_havoc_slice(pointer, bytes)

/* Does the operation overflow in the type that the usual arithmetic conversions give it? */
#define __CPROVER_overflow_plus(a, b) CLEW_CPROVER_OVERFLOW(add, __typeof__((a) + (b)), a, b)
#define __CPROVER_overflow_minus(a, b) CLEW_CPROVER_OVERFLOW(sub, __typeof__((a) - (b)), a, b)
#define __CPROVER_overflow_mult(a, b) CLEW_CPROVER_OVERFLOW(mul, __typeof__((a) * (b)), a, b)
#define CLEW_CPROVER_OVERFLOW(operation, type, a, b)                                                                   \
    __extension__({                                                                                                    \
        type clew_result_;                                                                                             \
        __builtin_##operation##_overflow((type)(a), (type)(b), &clew_result_);                                         \
    })
#define __CPROVER_overflow_unary_minus(a)                                                                              \
    __extension__({                                                                                                    \
        _Static_assert((__typeof__(-(a)))-1 < 0, "__CPROVER_overflow_unary_minus is supported for signed numbers");    \
        CLEW_CPROVER_OVERFLOW(sub, __typeof__(-(a)), 0, a);                                                            \
    })

/* A shift by a negative distance is no overflow, one by too much is, unless it shifts zero. */
#define __CPROVER_overflow_shl(a, b)                                                                                   \
    __extension__({                                                                                                    \
        __typeof__((a) << 1) clew_base_ = (a);                                                                         \
        __typeof__(+(b)) clew_distance_ = (b);                                                                         \
        (__typeof__(clew_base_))-1 < 0                                                                                 \
            ? clew_cprover_shl_signed((long long)clew_base_, sizeof clew_base_ * 8, clew_distance_ < 0,                \
                                      (unsigned long long)clew_distance_)                                              \
            : clew_cprover_shl_unsigned((unsigned long long)clew_base_, sizeof clew_base_ * 8, clew_distance_ < 0,     \
                                        (unsigned long long)clew_distance_);                                           \
    })

static inline __CPROVER_bool clew_cprover_shl_unsigned(unsigned long long base, __CPROVER_size_t width,
                                                       __CPROVER_bool backward, unsigned long long distance) {
    if (backward || base == 0) {
        return 0;
    }
    return distance >= width || base > ~0ULL >> (64 - width) >> distance;
}

static inline __CPROVER_bool clew_cprover_shl_signed(long long base, __CPROVER_size_t width, __CPROVER_bool backward,
                                                     unsigned long long distance) {
    unsigned long long most = ~0ULL >> (65 - width);
    /* Below zero, -1 - x is the number with the same bits inverted, which has the same room. */
    unsigned long long size = base < 0 ? ~(unsigned long long)base : (unsigned long long)base;
    if (backward || base == 0) {
        return 0;
    }
    return distance >= width || size > most >> distance;
}

/* What CBMC shows of a run has no effect. */
static inline void __CPROVER_input(const char *name, ...) { (void)name; }
static inline void __CPROVER_output(const char *name, ...) { (void)name; }

#endif
