/* wchar.h and wctype.h: strings of wide characters, and their classes as in the locale "C". Characters beyond ASCII may be
 * of any class, since setlocale may have been called. */
#include "model.h"

typedef unsigned wide_int;

size_t wcslen(const wchar_t *string) {
    size_t length = 0;
    while (string[length] != 0) {
        length++;
    }
    return length;
}

size_t wcsnlen(const wchar_t *string, size_t most) {
    size_t length = 0;
    while (length < most && string[length] != 0) {
        length++;
    }
    return length;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t i = 0;
    do {
        to[i] = from[i];
    } while (from[i++] != 0);
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i] != 0; i++) {
        to[i] = from[i];
    }
    for (; i < count; i++) {
        to[i] = 0;
    }
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t end = 0, i = 0;
    while (to[end] != 0) {
        end++;
    }
    do {
        to[end + i] = from[i];
    } while (from[i++] != 0);
    return to;
}

/* glibc gives -1, 0 or 1. */
static inline MODEL_INLINE int order(wchar_t a, wchar_t b) {
    return a < b ? -1 : a > b;
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
    size_t i = 0;
    while (a[i] == b[i] && a[i] != 0) {
        i++;
    }
    return order(a[i], b[i]);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i] || a[i] == 0) {
            return order(a[i], b[i]);
        }
    }
    return 0;
}

wchar_t *wcschr(const wchar_t *string, wchar_t c) {
    for (;; string++) {
        if (*string == c) {
            return (wchar_t *)string;
        }
        if (*string == 0) {
            return NULL;
        }
    }
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t c) {
    const wchar_t *found = NULL;
    for (;; string++) {
        if (*string == c) {
            found = string;
        }
        if (*string == 0) {
            return (wchar_t *)found;
        }
    }
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = c;
    }
    return to;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return __builtin_memcpy(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return __builtin_memmove(to, from, count * sizeof(wchar_t));
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return order(a[i], b[i]);
        }
    }
    return 0;
}

wchar_t *wmemchr(const wchar_t *string, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (string[i] == c) {
            return (wchar_t *)string + i;
        }
    }
    return NULL;
}

static inline MODEL_INLINE bool is_plain(wide_int c) {
    return c < 128 || c == (wide_int)-1;
}

static inline MODEL_INLINE wide_int foreign_case(wide_int c) {
    return __clew_any_bool() ? c : __clew_any_uint();
}

wide_int towupper(wide_int c) {
    return is_plain(c) ? (wide_int)model_to_upper((int)c) : foreign_case(c);
}

wide_int towlower(wide_int c) {
    return is_plain(c) ? (wide_int)model_to_lower((int)c) : foreign_case(c);
}

#define CLASS(name, condition)                                                                                         \
    int name(wide_int wide) {                                                                                          \
        if (!is_plain(wide)) {                                                                                         \
            return __clew_any_bool();                                                                                  \
        }                                                                                                              \
        int c = (int)wide;                                                                                             \
        return condition;                                                                                              \
    }
#define LETTER (model_is_upper(c) || model_is_lower(c))
#define VISIBLE (c > ' ' && c < 127)
CLASS(iswupper, model_is_upper(c))
CLASS(iswlower, model_is_lower(c))
CLASS(iswalpha, LETTER)
CLASS(iswdigit, model_is_digit(c))
CLASS(iswalnum, LETTER || model_is_digit(c))
CLASS(iswspace, model_is_space(c))
CLASS(iswblank, c == ' ' || c == '\t')
CLASS(iswpunct, VISIBLE && !LETTER && !model_is_digit(c))
CLASS(iswgraph, VISIBLE)
CLASS(iswprint, c >= ' ' && c < 127)
CLASS(iswcntrl, (c >= 0 && c < ' ') || c == 127)
CLASS(iswxdigit, model_is_digit(c) || (model_to_lower(c) >= 'a' && model_to_lower(c) <= 'f'))
