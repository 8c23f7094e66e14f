/* string.h: searching in strings and blocks, and cutting strings into tokens. */
#include "model.h"

static inline MODEL_INLINE char *find(const char *string, char wanted) {
    for (;; string++) {
        if (*string == wanted) {
            return (char *)string;
        }
        if (*string == '\0') {
            return NULL;
        }
    }
}

static inline MODEL_INLINE char *find_last(const char *string, char wanted) {
    const char *last = NULL;
    for (;; string++) {
        if (*string == wanted) {
            last = string;
        }
        if (*string == '\0') {
            return (char *)last;
        }
    }
}

static inline MODEL_INLINE bool is_in(char c, const char *set) {
    for (; *set != '\0'; set++) {
        if (*set == c) {
            return true;
        }
    }
    return false;
}

/* The length of the longest prefix whose characters are all in the set, or all outside of it. */
static inline MODEL_INLINE size_t span(const char *string, const char *set, bool inside) {
    size_t length = 0;
    while (string[length] != '\0' && is_in(string[length], set) == inside) {
        length++;
    }
    return length;
}

MODEL_INLINE void *memchr(const void *block, int wanted, size_t bytes) {
    const unsigned char *p = block;
    for (size_t i = 0; i < bytes; i++) {
        if (p[i] == (unsigned char)wanted) {
            return (void *)(p + i);
        }
    }
    return NULL;
}

MODEL_INLINE void *memrchr(const void *block, int wanted, size_t bytes) {
    const unsigned char *p = block;
    while (bytes > 0) {
        bytes--;
        if (p[bytes] == (unsigned char)wanted) {
            return (void *)(p + bytes);
        }
    }
    return NULL;
}

MODEL_INLINE void *rawmemchr(const void *block, int wanted) {
    const unsigned char *p = block;
    while (*p != (unsigned char)wanted) {
        p++;
    }
    return (void *)p;
}

MODEL_INLINE char *strchr(const char *string, int wanted) {
    return find(string, (char)wanted);
}

MODEL_INLINE char *index(const char *string, int wanted) {
    return find(string, (char)wanted);
}

MODEL_INLINE char *strchrnul(const char *string, int wanted) {
    while (*string != '\0' && *string != (char)wanted) {
        string++;
    }
    return (char *)string;
}

MODEL_INLINE char *strrchr(const char *string, int wanted) {
    return find_last(string, (char)wanted);
}

MODEL_INLINE char *rindex(const char *string, int wanted) {
    return find_last(string, (char)wanted);
}

MODEL_INLINE size_t strspn(const char *string, const char *accepted) {
    return span(string, accepted, true);
}

MODEL_INLINE size_t strcspn(const char *string, const char *rejected) {
    return span(string, rejected, false);
}

MODEL_INLINE char *strpbrk(const char *string, const char *wanted) {
    string += span(string, wanted, false);
    return *string != '\0' ? (char *)string : NULL;
}

/* Two characters agree, with or without regard to case. */
static inline MODEL_INLINE bool agree(char a, char b, bool ignore_case) {
    return ignore_case ? model_to_lower(a) == model_to_lower(b) : a == b;
}

static inline MODEL_INLINE char *find_string(const char *string, const char *wanted, bool ignore_case) {
    for (;; string++) {
        size_t i = 0;
        while (wanted[i] != '\0' && agree(string[i], wanted[i], ignore_case)) {
            i++;
        }
        if (wanted[i] == '\0') {
            return (char *)string;
        }
        if (*string == '\0') {
            return NULL;
        }
    }
}

char *strstr(const char *string, const char *wanted) {
    return find_string(string, wanted, false);
}

char *strcasestr(const char *string, const char *wanted) {
    return find_string(string, wanted, true);
}

void *memmem(const void *block, size_t bytes, const void *wanted, size_t wanted_bytes) {
    const char *p = block;
    const char *w = wanted;
    for (size_t start = 0; wanted_bytes <= bytes - start; start++) {
        size_t i = 0;
        while (i < wanted_bytes && p[start + i] == w[i]) {
            i++;
        }
        if (i == wanted_bytes) {
            return (void *)(p + start);
        }
        if (start == bytes) {
            break;
        }
    }
    return NULL;
}

static inline MODEL_INLINE char *next_token(char *string, const char *separators, char **rest) {
    if (string == NULL) {
        string = *rest;
    }
    if (string == NULL) {
        return NULL;
    }
    string += span(string, separators, true);
    if (*string == '\0') {
        *rest = string;
        return NULL;
    }
    char *end = string + span(string, separators, false);
    if (*end != '\0') {
        *end++ = '\0';
    }
    *rest = end;
    return string;
}

char *strtok_r(char *restrict string, const char *restrict separators, char **restrict rest) {
    return next_token(string, separators, rest);
}

char *__strtok_r(char *restrict string, const char *restrict separators, char **restrict rest) {
    return next_token(string, separators, rest);
}

char *strtok(char *restrict string, const char *restrict separators) {
    static char *rest;
    return next_token(string, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators) {
    char *token = *rest;
    if (token == NULL) {
        return NULL;
    }
    char *end = token + span(token, separators, false);
    if (*end != '\0') {
        *end = '\0';
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return token;
}
