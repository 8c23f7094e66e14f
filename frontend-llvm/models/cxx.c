/* C++: the parts of the runtime and of libstdc++ that are not in its headers, by their mangled names. Exceptions and
 * type information are in the C++ files. */
#include "model.h"

/* size_t is m (unsigned long) or j (unsigned) in mangled names. */
#if __SIZEOF_POINTER__ == 8
#define MANGLED(before, after) before##m##after
#define MANGLED3(before) before##mmm
#define MANGLED2(before) before##mm
#else
#define MANGLED(before, after) before##j##after
#define MANGLED3(before) before##jjj
#define MANGLED2(before) before##jj
#endif

static inline MODEL_INLINE void *allocate(size_t bytes, size_t alignment) {
    if (bytes > MODEL_OBJECT_LIMIT || alignment > MODEL_OBJECT_LIMIT - bytes) {
        return NULL;
    }
    if (alignment <= MODEL_OBJECT_ALIGNMENT) {
        return __clew_new_object(bytes);
    }
    char *object = __clew_new_object(bytes + alignment);
    size_t beyond = (uintptr_t)object & (alignment - 1);
    return beyond == 0 ? object : object + (alignment - beyond);
}

static inline MODEL_INLINE void *allocate_or_throw(size_t bytes, size_t alignment) {
    void *object = allocate(bytes, alignment);
    if (object == NULL) {
        __clew_unsupported("operator new throws std::bad_alloc");
    }
    return object;
}

#define OPERATOR_NEW(operator)                                                                                         \
    MODEL_INLINE void *MANGLED(operator, )(size_t bytes) {                                                             \
        return allocate_or_throw(bytes, 1);                                                                            \
    }                                                                                                                  \
    MODEL_INLINE void *MANGLED(operator, RKSt9nothrow_t)(size_t bytes, const void *nothrow) {                          \
        (void)nothrow;                                                                                                 \
        return allocate(bytes, 1);                                                                                     \
    }                                                                                                                  \
    MODEL_INLINE void *MANGLED(operator, St11align_val_t)(size_t bytes, size_t alignment) {                            \
        return allocate_or_throw(bytes, alignment);                                                                    \
    }                                                                                                                  \
    MODEL_INLINE void *MANGLED(operator, St11align_val_tRKSt9nothrow_t)(size_t bytes, size_t alignment,                \
                                                                        const void *nothrow) {                         \
        (void)nothrow;                                                                                                 \
        return allocate(bytes, alignment);                                                                             \
    }
OPERATOR_NEW(_Znw)
OPERATOR_NEW(_Zna)

#define OPERATOR_DELETE(operator)                                                                                      \
    MODEL_INLINE void operator##Pv(void *object) {                                                                     \
        (void)object;                                                                                                  \
    }                                                                                                                  \
    MODEL_INLINE void operator##PvRKSt9nothrow_t(void *object, const void *nothrow) {                                  \
        (void)object, (void)nothrow;                                                                                   \
    }                                                                                                                  \
    MODEL_INLINE void MANGLED(operator##Pv, )(void *object, size_t bytes) {                                            \
        (void)object, (void)bytes;                                                                                     \
    }                                                                                                                  \
    MODEL_INLINE void operator##PvSt11align_val_t(void *object, size_t alignment) {                                    \
        (void)object, (void)alignment;                                                                                 \
    }                                                                                                                  \
    MODEL_INLINE void operator##PvSt11align_val_tRKSt9nothrow_t(void *object, size_t alignment, const void *nothrow) { \
        (void)object, (void)alignment, (void)nothrow;                                                                  \
    }                                                                                                                  \
    MODEL_INLINE void MANGLED(operator##Pv, St11align_val_t)(void *object, size_t bytes, size_t alignment) {           \
        (void)object, (void)bytes, (void)alignment;                                                                    \
    }
OPERATOR_DELETE(_Zdl)
OPERATOR_DELETE(_Zda)

/* std::nothrow is only ever passed by reference. */
const char _ZSt7nothrow;

/* The first byte of a guard says whether its static variable has been initialised. */
MODEL_INLINE int __cxa_guard_acquire(uint64_t *guard) {
    return *(char *)guard == 0;
}

MODEL_INLINE void __cxa_guard_release(uint64_t *guard) {
    *(char *)guard = 1;
}

MODEL_INLINE void __cxa_guard_abort(uint64_t *guard) {
    (void)guard;
}

/* std::terminate ends the program; the default handler aborts. */
MODEL_NORETURN void _ZSt9terminatev(void) {
    __clew_halt();
}

MODEL_NORETURN void __cxa_pure_virtual(void) {
    __clew_halt();
}

MODEL_NORETURN void __cxa_deleted_virtual(void) {
    __clew_halt();
}

/* std::__glibcxx_assert_fail(file, line, function, condition): a violated precondition of the library. */
MODEL_NORETURN void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function,
                                                          const char *condition) {
    (void)file, (void)line, (void)function, (void)condition;
    __clew_error("assert", "a precondition of the C++ library is violated");
}

/* std::ios_base::Init: the standard streams need no set-up here. */
MODEL_INLINE void _ZNSt8ios_base4InitC1Ev(void *self) {
    (void)self;
}

MODEL_INLINE void _ZNSt8ios_base4InitD1Ev(void *self) {
    (void)self;
}

/* The constructors and destructors of std::allocator<char> and std::allocator<wchar_t>, which has no members. */
#define ALLOCATOR_NAMED(constructor, copy, destructor)                                                                 \
    MODEL_INLINE void constructor(void *self) {                                                                        \
        (void)self;                                                                                                    \
    }                                                                                                                  \
    MODEL_INLINE void copy(void *self, const void *other) {                                                            \
        (void)self, (void)other;                                                                                       \
    }                                                                                                                  \
    MODEL_INLINE void destructor(void *self) {                                                                         \
        (void)self;                                                                                                    \
    }
ALLOCATOR_NAMED(_ZNSaIcEC1Ev, _ZNSaIcEC1ERKS_, _ZNSaIcED1Ev)
ALLOCATOR_NAMED(_ZNSaIcEC2Ev, _ZNSaIcEC2ERKS_, _ZNSaIcED2Ev)
ALLOCATOR_NAMED(_ZNSaIwEC1Ev, _ZNSaIwEC1ERKS_, _ZNSaIwED1Ev)
ALLOCATOR_NAMED(_ZNSaIwEC2Ev, _ZNSaIwEC2ERKS_, _ZNSaIwED2Ev)

/* std::_Hash_bytes: any function of the bytes and the seed is a hash. */
size_t MANGLED2(_ZSt11_Hash_bytesPKv)(const void *from, size_t bytes, size_t seed) {
    const unsigned char *p = from;
    size_t hash = seed;
    for (size_t i = 0; i < bytes; i++) {
        hash = hash * 31 + p[i];
    }
    return hash;
}

/* std::__detail::_Prime_rehash_policy: when hash tables grow. */
struct rehash_policy {
    float largest_load;
    size_t next_resize;
};

struct rehash_answer {
    bool grow;
    size_t buckets;
};

/* The standard asks for no primes: odd numbers that double do. */
static size_t next_buckets(struct rehash_policy *policy, size_t least) {
    size_t buckets = 1;
    while (buckets < least) {
        buckets = buckets * 2 + 1;
    }
    policy->next_resize = (size_t)((double)policy->largest_load * (double)buckets);
    return buckets;
}

size_t MANGLED(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktE, )(struct rehash_policy *policy, size_t least) {
    return next_buckets(policy, least);
}

struct rehash_answer MANGLED3(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashE)(struct rehash_policy *policy,
                                                                                      size_t buckets, size_t elements,
                                                                                      size_t added) {
    if (elements + added <= policy->next_resize) {
        return (struct rehash_answer){false, 0};
    }
    double least = (double)(elements + added) / (double)policy->largest_load;
    if (policy->next_resize == 0 && least < 11) {
        least = 11; /* The first table is not tiny. */
    }
    if (least < (double)buckets) {
        policy->next_resize = (size_t)((double)policy->largest_load * (double)buckets);
        return (struct rehash_answer){false, 0};
    }
    size_t wanted = (size_t)least + 1;
    return (struct rehash_answer){true, next_buckets(policy, wanted > 2 * buckets ? wanted : 2 * buckets)};
}
