/* string.h, ctype.h and allocation. */
#define _GNU_SOURCE
#include "harness.h"

#include <ctype.h>
#include <malloc.h>
#include <strings.h>
#include <unistd.h>

MODEL(strlen); MODEL(strnlen); MODEL(strcpy); MODEL(stpcpy); MODEL(strncpy); MODEL(stpncpy); MODEL(strcat);
MODEL(strncat); MODEL(strcmp); MODEL(strcoll); MODEL(strxfrm); MODEL(strncmp); MODEL(strcasecmp); MODEL(strncasecmp);
MODEL(strdup); MODEL(strndup); MODEL(memcpy); MODEL(mempcpy); MODEL(memmove); MODEL(memset); MODEL(memccpy);
MODEL(memcmp); MODEL(bzero); MODEL(memchr); MODEL(memrchr); MODEL(rawmemchr); MODEL(strchr); MODEL(strchrnul);
MODEL(strrchr); MODEL(index); MODEL(rindex); MODEL(strspn); MODEL(strcspn); MODEL(strpbrk); MODEL(strstr);
MODEL(strcasestr); MODEL(memmem); MODEL(strtok); MODEL(strtok_r); MODEL(strsep); MODEL(swab);
MODEL(malloc); MODEL(calloc); MODEL(realloc); MODEL(reallocarray); MODEL(aligned_alloc); MODEL(posix_memalign);
MODEL(memalign); MODEL(valloc); MODEL(free);
MODEL(__ctype_b_loc); MODEL(__ctype_tolower_loc); MODEL(__ctype_toupper_loc);
size_t model_strlcpy(char *, const char *, size_t);
size_t model_strlcat(char *, const char *, size_t);

enum { ROOM = 48 };

/* Few different characters, so that things are found; also NULs inside, and bytes above 127. */
static void random_block(char *to, size_t bytes) {
    static const char alphabet[] = {'a', 'a', 'b', 'A', 'B', ',', ' ', '\0', (char)0x80, (char)0xff};
    for (size_t i = 0; i < bytes; i++) {
        to[i] = alphabet[random_below(sizeof alphabet)];
    }
}

static void random_string(char *to, size_t most) {
    size_t length = random_below((unsigned)most + 1);
    random_block(to, length);
    for (size_t i = 0; i < length; i++) {
        if (to[i] == '\0' && random_below(4) != 0) {
            to[i] = 'c';
        }
    }
    to[length] = '\0';
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

#define SAME(name, ...) check(model_##name(__VA_ARGS__) == name(__VA_ARGS__), #name " of \"%s\" and \"%s\"", a, b)
#define SAME_SIGN(name, ...)                                                                                           \
    check(sign(model_##name(__VA_ARGS__)) == sign(name(__VA_ARGS__)), #name " of \"%s\" and \"%s\"", a, b)

/* A function that changes its first argument: results as offsets, and the whole buffers, must agree. */
#define SAME_CHANGE(name, ...)                                                                                         \
    do {                                                                                                               \
        char x[2 * ROOM], y[2 * ROOM];                                                                                 \
        memset(x, '#', sizeof x);                                                                                      \
        memcpy(x, a, strlen(a) + 1);                                                                                   \
        memcpy(y, x, sizeof x);                                                                                        \
        char *rx = (char *)model_##name(x, __VA_ARGS__), *ry = (char *)name(y, __VA_ARGS__);                           \
        check((rx == NULL) == (ry == NULL) && (rx == NULL || rx - x == ry - y) && memcmp(x, y, sizeof x) == 0,         \
              #name " of \"%s\" and \"%s\"", a, b);                                                                    \
    } while (0)

void test_strings(void) {
    for (int round = 0; round < 4000; round++) {
        char a[ROOM], b[ROOM];
        random_string(a, round % 3 == 0 ? 3 : ROOM - 1);
        random_string(b, round % 2 == 0 ? 2 : ROOM - 1);
        if (round % 5 == 0) {
            strcpy(b, a);
        }
        size_t n = random_below(ROOM);
        int c = a[random_below(ROOM / 4)] | (int)(random_below(2) << 8);
        if (round % 7 == 0) {
            c = 0;
        }
        SAME(strlen, a);
        SAME(strnlen, a, n);
        SAME_SIGN(strcmp, a, b);
        SAME_SIGN(strcoll, a, b);
        SAME_SIGN(strncmp, a, b, n);
        SAME_SIGN(strcasecmp, a, b);
        SAME_SIGN(strncasecmp, a, b, n);
        SAME(strchr, a, c);
        SAME(strchrnul, a, c);
        SAME(strrchr, a, c);
        SAME(index, a, c);
        SAME(rindex, a, c);
        SAME(strspn, a, b);
        SAME(strcspn, a, b);
        SAME(strpbrk, a, b);
        SAME(strstr, a, b);
        SAME(strcasestr, a, b);
        SAME_CHANGE(strcpy, b);
        SAME_CHANGE(stpcpy, b);
        SAME_CHANGE(strncpy, b, n);
        SAME_CHANGE(stpncpy, b, n);
        SAME_CHANGE(strcat, b);
        SAME_CHANGE(strncat, b, n);

        char x[2 * ROOM] = "", y[2 * ROOM] = "";
        size_t needed = model_strxfrm(x, a, n);
        check(needed == strlen(a) && (needed >= n || strcmp(x, a) == 0), "strxfrm of \"%s\"", a);
        strcpy(x, a);
        needed = model_strlcpy(x, b, n);
        snprintf(y, n, "%s", b);
        check(needed == strlen(b) && (n == 0 ? strcmp(x, a) : strcmp(x, y)) == 0, "strlcpy of \"%s\"", b);
        strcpy(x, a);
        needed = model_strlcat(x, b, n);
        snprintf(y, strlen(a) < n ? n : ROOM, "%s%s", a, strlen(a) < n ? b : "");
        check(needed == (strlen(a) < n ? strlen(a) : n) + strlen(b) && strcmp(x, y) == 0, "strlcat of \"%s\"", b);

        char *copy = model_strdup(a);
        check(strcmp(copy, a) == 0 && copy != a, "strdup of \"%s\"", a);
        copy = model_strndup(a, n);
        char *other = strndup(a, n);
        check(strcmp(copy, other) == 0, "strndup of \"%s\"", a);
        free(other);

        /* Token by token; the state is in the rest or in the function. */
        strcpy(x, a);
        strcpy(y, a);
        char *rest_x = NULL, *rest_y = NULL;
        char *from_x = x, *from_y = y;
        for (int i = 0; i < 5; i++) {
            char *tx = round % 2 ? model_strtok(from_x, b) : model_strtok_r(from_x, b, &rest_x);
            char *ty = round % 2 ? strtok(from_y, b) : strtok_r(from_y, b, &rest_y);
            check((tx == NULL) == (ty == NULL) && (tx == NULL || tx - x == ty - y), "strtok of \"%s\" \"%s\"", a, b);
            from_x = from_y = NULL;
        }
        check(memcmp(x, y, ROOM) == 0, "strtok changes \"%s\" with \"%s\"", a, b);
        strcpy(x, a);
        strcpy(y, a);
        rest_x = x;
        rest_y = y;
        for (int i = 0; i < 5; i++) {
            char *tx = model_strsep(&rest_x, b), *ty = strsep(&rest_y, b);
            check((tx == NULL) == (ty == NULL) && (tx == NULL || tx - x == ty - y), "strsep of \"%s\" \"%s\"", a, b);
        }
        check(memcmp(x, y, ROOM) == 0, "strsep changes \"%s\" with \"%s\"", a, b);
    }
}

void test_memory(void) {
    for (int round = 0; round < 4000; round++) {
        char a[ROOM], b[ROOM];
        random_block(a, ROOM);
        random_block(b, ROOM);
        if (round % 4 == 0) {
            memcpy(b, a, ROOM);
        }
        size_t n = random_below(ROOM), m = random_below(4);
        int c = a[random_below(ROOM)];
        a[ROOM - 1] = b[ROOM - 1] = '\0';
        check(sign(model_memcmp(a, b, n)) == sign(memcmp(a, b, n)), "memcmp of %zu bytes", n);
        SAME(memchr, a, c, n);
        SAME(memrchr, a, c, n);
        SAME(rawmemchr, a, 0);
        SAME(memmem, a, n, b, m);

        char x[ROOM], y[ROOM];
#define SAME_BLOCK(name, ...)                                                                                          \
    do {                                                                                                               \
        memcpy(x, a, ROOM);                                                                                            \
        memcpy(y, a, ROOM);                                                                                            \
        char *rx = (char *)model_##name(x, __VA_ARGS__), *ry = (char *)name(y, __VA_ARGS__);                           \
        check((rx == NULL) == (ry == NULL) && (rx == NULL || rx - x == ry - y) && memcmp(x, y, ROOM) == 0,             \
              #name " of %zu bytes", n);                                                                               \
    } while (0)
        SAME_BLOCK(memcpy, b, n);
        SAME_BLOCK(mempcpy, b, n);
        SAME_BLOCK(memset, c + 256, n);
        SAME_BLOCK(memccpy, b, c, n);
        memcpy(x, a, ROOM);
        memcpy(y, a, ROOM);
        size_t from = random_below(ROOM - (unsigned)n), to = random_below(ROOM - (unsigned)n);
        model_memmove(x + to, x + from, n);
        memmove(y + to, y + from, n);
        check(memcmp(x, y, ROOM) == 0, "memmove of %zu bytes from %zu to %zu", n, from, to);
        model_bzero(x, n);
        bzero(y, n);
        model_swab(b, x + 1, (ssize_t)n / 2);
        swab(b, y + 1, (ssize_t)n / 2);
        check(memcmp(x, y, ROOM) == 0, "bzero or swab of %zu bytes", n);
    }
}

#define FOR_EACH_CLASS(X)                                                                                              \
    X(isalpha) X(isdigit) X(isalnum) X(isupper) X(islower) X(isspace) X(isblank) X(iscntrl) X(isprint) X(isgraph)      \
    X(ispunct) X(isxdigit) X(isascii) X(toascii) X(tolower) X(toupper)
#define DECLARE_CLASS(name) int model_##name(int);
FOR_EACH_CLASS(DECLARE_CLASS)

void test_characters(void) {
    for (int c = -1; c < 256; c++) {
#define SAME_CLASS(name) check(model_##name(c) == (name)(c), #name " of %d: %d, not %d", c, model_##name(c), (name)(c));
        FOR_EACH_CLASS(SAME_CLASS)
    }
    for (int c = -128; c < 256; c++) {
        check((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "__ctype_b_loc of %d", c);
        check((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "__ctype_tolower_loc of %d", c);
        check((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "__ctype_toupper_loc of %d", c);
    }
}

void test_allocation(void) {
    size_t huge = (size_t)PTRDIFF_MAX;
    check(model_malloc(0) != model_malloc(0), "malloc(0) gives unique pointers");
    __clew_errno = 0;
    check(model_malloc(huge) == NULL && __clew_errno == ENOMEM, "malloc of too much");
    check(model_calloc(SIZE_MAX / 2 + 2, 2) == NULL, "calloc overflows");
    check(model_reallocarray(NULL, SIZE_MAX / 2 + 2, 2) == NULL, "reallocarray overflows");
    for (size_t n = 0; n < 100; n++) {
        char *block = model_calloc(n, 3);
        for (size_t i = 0; i < 3 * n; i++) {
            check(block[i] == 0, "calloc gives zeros");
        }
        for (size_t i = 0; i < 3 * n; i++) {
            block[i] = (char)i;
        }
        size_t other = random_below(400) + 1;
        block = model_realloc(block, other);
        for (size_t i = 0; i < 3 * n && i < other; i++) {
            check(block[i] == (char)i, "realloc from %zu to %zu keeps byte %zu", 3 * n, other, i);
        }
        check(__clew_object_size(block) == other, "realloc gives the size");
        check(model_realloc(block, 0) == NULL, "realloc to 0");
        check(model_realloc(block, huge) == NULL, "realloc to too much");
        model_free(block);
        for (size_t alignment = 1; alignment <= 8192; alignment *= 2) {
            void *p = NULL, *q = model_memalign(alignment, n), *r = model_aligned_alloc(alignment, n);
            int status = model_posix_memalign(&p, alignment, n);
            check(status == (alignment < sizeof(void *) ? EINVAL : 0), "posix_memalign to %zu", alignment);
            check((uintptr_t)p % alignment == 0 && (uintptr_t)q % alignment == 0 && (uintptr_t)r % alignment == 0,
                  "alignment to %zu", alignment);
        }
        check((uintptr_t)model_valloc(n) % 4096 == 0, "valloc");
    }
    check(model_aligned_alloc(48, 48) == NULL, "aligned_alloc to 48");
}
