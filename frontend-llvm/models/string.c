/* string.h: lengths, copies and comparisons of strings. */
#include "model.h"

/* The C standard fixes only the sign of a comparison; like glibc on x86, give the difference of the bytes. */
static inline MODEL_INLINE int difference(char a, char b) {
    return (int)(unsigned char)a - (int)(unsigned char)b;
}

static inline MODEL_INLINE size_t bounded_length(const char *string, size_t most) {
    size_t length = 0;
    while (length < most && string[length] != '\0') {
        length++;
    }
    return length;
}

static inline MODEL_INLINE char *copy_to_end(char *restrict to, const char *restrict from) {
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

/* Copies at most `count` characters and fills the rest with NULs; gives the end of what was copied. */
static inline MODEL_INLINE char *copy_and_pad(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i] != '\0'; i++) {
        to[i] = from[i];
    }
    char *end = to + i;
    for (; i < count; i++) {
        to[i] = '\0';
    }
    return end;
}

static inline MODEL_INLINE void append_at_most(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    to += model_length(to);
    for (; i < count && from[i] != '\0'; i++) {
        to[i] = from[i];
    }
    to[i] = '\0';
}

static inline MODEL_INLINE int compare(const char *a, const char *b) {
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return difference(*a, *b);
}

MODEL_INLINE size_t strlen(const char *string) {
    return model_length(string);
}

MODEL_INLINE size_t strnlen(const char *string, size_t most) {
    return bounded_length(string, most);
}

MODEL_INLINE char *strcpy(char *restrict to, const char *restrict from) {
    copy_to_end(to, from);
    return to;
}

MODEL_INLINE char *stpcpy(char *restrict to, const char *restrict from) {
    return copy_to_end(to, from);
}

MODEL_INLINE char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    copy_and_pad(to, from, count);
    return to;
}

MODEL_INLINE char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    return copy_and_pad(to, from, count);
}

MODEL_INLINE char *strcat(char *restrict to, const char *restrict from) {
    copy_to_end(to + model_length(to), from);
    return to;
}

MODEL_INLINE char *strncat(char *restrict to, const char *restrict from, size_t count) {
    append_at_most(to, from, count);
    return to;
}

MODEL_INLINE size_t strlcpy(char *restrict to, const char *restrict from, size_t room) {
    size_t length = model_length(from);
    if (room > 0) {
        size_t copied = length < room ? length : room - 1;
        __builtin_memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}

MODEL_INLINE size_t strlcat(char *restrict to, const char *restrict from, size_t room) {
    size_t before = bounded_length(to, room);
    size_t length = model_length(from);
    if (before < room) {
        size_t left = room - before - 1;
        size_t copied = length < left ? length : left;
        __builtin_memcpy(to + before, from, copied);
        to[before + copied] = '\0';
    }
    return before + length;
}

MODEL_INLINE int strcmp(const char *a, const char *b) {
    return compare(a, b);
}

/* In the C locale, collation is the order of the bytes. */
MODEL_INLINE int strcoll(const char *a, const char *b) {
    return compare(a, b);
}

MODEL_INLINE size_t strxfrm(char *restrict to, const char *restrict from, size_t room) {
    size_t length = model_length(from);
    if (length < room) {
        __builtin_memcpy(to, from, length + 1);
    } else if (room > 0) {
        /* What is in the array then is indeterminate. */
        model_fill_unknown(to, room);
    }
    return length;
}

MODEL_INLINE int strncmp(const char *a, const char *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i] || a[i] == '\0') {
            return difference(a[i], b[i]);
        }
    }
    return 0;
}

MODEL_INLINE int strcasecmp(const char *a, const char *b) {
    while (*a != '\0' && model_to_lower(*a) == model_to_lower(*b)) {
        a++;
        b++;
    }
    return model_to_lower((unsigned char)*a) - model_to_lower((unsigned char)*b);
}

MODEL_INLINE int strncasecmp(const char *a, const char *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int left = model_to_lower((unsigned char)a[i]);
        int right = model_to_lower((unsigned char)b[i]);
        if (left != right || left == '\0') {
            return left - right;
        }
    }
    return 0;
}

static inline MODEL_INLINE char *duplicate(const char *string) {
    size_t bytes = model_length(string) + 1;
    char *copy = model_allocate(bytes);
    if (copy != NULL) {
        __builtin_memcpy(copy, string, bytes);
    }
    return copy;
}

MODEL_INLINE char *strdup(const char *string) {
    return duplicate(string);
}

MODEL_INLINE char *__strdup(const char *string) {
    return duplicate(string);
}

static inline MODEL_INLINE char *duplicate_at_most(const char *string, size_t most) {
    size_t length = bounded_length(string, most);
    char *copy = model_allocate(length + 1);
    if (copy != NULL) {
        __builtin_memcpy(copy, string, length);
        copy[length] = '\0';
    }
    return copy;
}

MODEL_INLINE char *strndup(const char *string, size_t most) {
    return duplicate_at_most(string, most);
}

MODEL_INLINE char *__strndup(const char *string, size_t most) {
    return duplicate_at_most(string, most);
}

MODEL_INLINE char *strsignal(int number) {
    (void)number;
    return model_any_string();
}

/* The GNU version of strerror_r: it may or may not use the buffer. */
MODEL_INLINE char *strerror_r(int number, char *buffer, size_t room) {
    (void)number;
    if (room == 0 || __clew_any_bool()) {
        return model_any_string();
    }
    size_t length = model_any_size_to(room - 1);
    model_fill_unknown(buffer, length);
    buffer[length] = '\0';
    return buffer;
}

/* The POSIX version. */
MODEL_INLINE int __xpg_strerror_r(int number, char *buffer, size_t room) {
    (void)number;
    if (room > 0) {
        size_t length = model_any_size_to(room - 1);
        model_fill_unknown(buffer, length);
        buffer[length] = '\0';
    }
    return __clew_any_bool() ? 0 : model_any_int_between(1, 4095);
}

/* The fortified names: the room is what clang knew of the target, and bounds are checked by the verifier itself. */
MODEL_INLINE char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
    (void)room;
    copy_to_end(to, from);
    return to;
}

MODEL_INLINE char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
    (void)room;
    return copy_to_end(to, from);
}

MODEL_INLINE char *__strncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    (void)room;
    copy_and_pad(to, from, count);
    return to;
}

MODEL_INLINE char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    (void)room;
    return copy_and_pad(to, from, count);
}

MODEL_INLINE char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
    (void)room;
    copy_to_end(to + model_length(to), from);
    return to;
}

MODEL_INLINE char *__strncat_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
    (void)room;
    append_at_most(to, from, count);
    return to;
}
