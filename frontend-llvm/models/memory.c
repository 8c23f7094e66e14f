/* string.h and strings.h: blocks of bytes. */
#include "model.h"

static inline MODEL_INLINE int compare(const unsigned char *a, const unsigned char *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) {
            return (int)a[i] - (int)b[i];
        }
    }
    return 0;
}

MODEL_INLINE void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    __builtin_memcpy(to, from, bytes);
    return to;
}

MODEL_INLINE void *mempcpy(void *restrict to, const void *restrict from, size_t bytes) {
    __builtin_memcpy(to, from, bytes);
    return (char *)to + bytes;
}

MODEL_INLINE void *__mempcpy(void *restrict to, const void *restrict from, size_t bytes) {
    __builtin_memcpy(to, from, bytes);
    return (char *)to + bytes;
}

MODEL_INLINE void *memmove(void *to, const void *from, size_t bytes) {
    __builtin_memmove(to, from, bytes);
    return to;
}

MODEL_INLINE void *memset(void *to, int value, size_t bytes) {
    __builtin_memset(to, value, bytes);
    return to;
}

MODEL_INLINE void *memccpy(void *restrict to, const void *restrict from, int stop, size_t bytes) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < bytes; i++) {
        target[i] = source[i];
        if (source[i] == (unsigned char)stop) {
            return target + i + 1;
        }
    }
    return NULL;
}

MODEL_INLINE int memcmp(const void *a, const void *b, size_t bytes) {
    return compare(a, b, bytes);
}

MODEL_INLINE int bcmp(const void *a, const void *b, size_t bytes) {
    return compare(a, b, bytes);
}

MODEL_INLINE void bzero(void *to, size_t bytes) {
    __builtin_memset(to, 0, bytes);
}

MODEL_INLINE void explicit_bzero(void *to, size_t bytes) {
    __builtin_memset(to, 0, bytes);
}

MODEL_INLINE void bcopy(const void *from, void *to, size_t bytes) {
    __builtin_memmove(to, from, bytes);
}

MODEL_INLINE void swab(const void *restrict from, void *restrict to, ssize_t bytes) {
    const char *source = from;
    char *target = to;
    for (ssize_t i = 0; i + 1 < bytes; i += 2) {
        char first = source[i];
        target[i] = source[i + 1];
        target[i + 1] = first;
    }
}

/* The fortified names; see string.c. */
MODEL_INLINE void *__memcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room) {
    (void)room;
    __builtin_memcpy(to, from, bytes);
    return to;
}

MODEL_INLINE void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room) {
    (void)room;
    __builtin_memcpy(to, from, bytes);
    return (char *)to + bytes;
}

MODEL_INLINE void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room) {
    (void)room;
    __builtin_memmove(to, from, bytes);
    return to;
}

MODEL_INLINE void *__memset_chk(void *to, int value, size_t bytes, size_t room) {
    (void)room;
    __builtin_memset(to, value, bytes);
    return to;
}
