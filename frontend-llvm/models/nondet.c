/* The inputs of programs made for verification: __VERIFIER_nondet_*, __CPROVER's nondet_* and clew_any_*. */
#include "model.h"

#define INPUT(name, type, input)                                                                                       \
    MODEL_INLINE type __VERIFIER_nondet_##name(void) {                                                                 \
        return (type)__clew_input_##input();                                                                           \
    }
INPUT(bool, bool, bool)
INPUT(_Bool, bool, bool)
INPUT(char, char, char)
INPUT(schar, signed char, schar)
INPUT(uchar, unsigned char, uchar)
INPUT(unsigned_char, unsigned char, uchar)
INPUT(short, short, short)
INPUT(ushort, unsigned short, ushort)
INPUT(int, int, int)
INPUT(uint, unsigned, uint)
INPUT(unsigned, unsigned, uint)
INPUT(unsigned_int, unsigned, uint)
INPUT(long, long, long)
INPUT(ulong, unsigned long, ulong)
INPUT(unsigned_long, unsigned long, ulong)
INPUT(longlong, long long, longlong)
INPUT(ulonglong, unsigned long long, ulonglong)
INPUT(s8, signed char, schar)
INPUT(u8, unsigned char, uchar)
INPUT(s16, short, short)
INPUT(u16, unsigned short, ushort)
INPUT(s32, int, int)
INPUT(u32, unsigned, uint)
INPUT(s64, long long, longlong)
INPUT(u64, unsigned long long, ulonglong)
INPUT(size_t, size_t, ulong)
INPUT(ssize_t, ssize_t, long)
INPUT(ptrdiff_t, ptrdiff_t, long)
INPUT(loff_t, long long, longlong)
INPUT(sector_t, unsigned long, ulong)
INPUT(pthread_t, unsigned long, ulong)
INPUT(float, float, float)
INPUT(double, double, double)
INPUT(longdouble, long double, longdouble)
INPUT(pointer, void *, pointer)
INPUT(pchar, char *, pointer)
INPUT(charp, char *, pointer)
INPUT(const_char_pointer, const char *, pointer)

#ifdef __SIZEOF_INT128__
static inline MODEL_INLINE unsigned __int128 input_128(void) {
    unsigned __int128 high = __clew_input_ulonglong();
    return high << 64 | __clew_input_ulonglong();
}

MODEL_INLINE __int128 __VERIFIER_nondet_int128(void) {
    return (__int128)input_128();
}

MODEL_INLINE unsigned __int128 __VERIFIER_nondet_uint128(void) {
    return input_128();
}
#endif

void __VERIFIER_nondet_memory(void *to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        ((unsigned char *)to)[i] = __clew_input_uchar();
    }
}

/* For the arguments of an entry function. */
MODEL_INLINE void *clew_new_object_(size_t bytes) {
    return __clew_new_object(bytes);
}

#define CLEW_INPUT(name, type)                                                                                         \
    MODEL_INLINE type clew_any_##name(void) {                                                                          \
        return __clew_input_##name();                                                                                  \
    }
MODEL_FOR_EACH_TYPE(CLEW_INPUT)
