/* stdlib.h: arithmetic, random numbers, sorting and searching, the environment. */
#include "model.h"

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

MODEL_INLINE int abs(int number) {
    return number < 0 ? -number : number;
}

MODEL_INLINE long labs(long number) {
    return number < 0 ? -number : number;
}

MODEL_INLINE long long llabs(long long number) {
    return number < 0 ? -number : number;
}

MODEL_INLINE intmax_t imaxabs(intmax_t number) {
    return number < 0 ? -number : number;
}

MODEL_INLINE div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}

MODEL_INLINE ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}

MODEL_INLINE lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}

/* Random numbers: whatever the seed, each may be any. */
static inline MODEL_INLINE int any_random(void) {
    return model_any_int_between(0, INT_MAX);
}

MODEL_INLINE int rand(void) {
    return any_random();
}

MODEL_INLINE int rand_r(unsigned *seed) {
    *seed = __clew_any_uint();
    return any_random();
}

MODEL_INLINE void srand(unsigned seed) {
    (void)seed;
}

MODEL_INLINE long random(void) {
    return any_random();
}

MODEL_INLINE void srandom(unsigned seed) {
    (void)seed;
}

MODEL_INLINE long lrand48(void) {
    return any_random();
}

MODEL_INLINE long mrand48(void) {
    return __clew_any_int();
}

MODEL_INLINE void srand48(long seed) {
    (void)seed;
}

MODEL_INLINE double drand48(void) {
    double number = __clew_any_double();
    __clew_fact(0.0 <= number && number < 1.0);
    return number;
}

MODEL_INLINE unsigned arc4random(void) {
    return __clew_any_uint();
}

MODEL_INLINE unsigned arc4random_uniform(unsigned bound) {
    unsigned number = __clew_any_uint();
    __clew_fact(bound == 0 ? number == 0 : number < bound);
    return number;
}

/* Sorts by insertion, which is stable as glibc's merge sort is, so that equal elements end in the same order. */
static inline MODEL_INLINE void move_down(char *base, size_t from, size_t to, size_t size, void *spare) {
    __builtin_memcpy(spare, base + from * size, size);
    __builtin_memmove(base + (to + 1) * size, base + to * size, (from - to) * size);
    __builtin_memcpy(base + to * size, spare, size);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    if (count < 2 || size == 0) {
        return;
    }
    char *elements = base;
    void *spare = __clew_new_object(size);
    for (size_t next = 1; next < count; next++) {
        size_t place = next;
        while (place > 0 && compare(elements + (place - 1) * size, elements + next * size) > 0) {
            place--;
        }
        if (place < next) {
            move_down(elements, next, place, size, spare);
        }
    }
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context) {
    if (count < 2 || size == 0) {
        return;
    }
    char *elements = base;
    void *spare = __clew_new_object(size);
    for (size_t next = 1; next < count; next++) {
        size_t place = next;
        while (place > 0 && compare(elements + (place - 1) * size, elements + next * size, context) > 0) {
            place--;
        }
        if (place < next) {
            move_down(elements, next, place, size, spare);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void *)element;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

MODEL_INLINE void *lfind(const void *key, const void *base, size_t *count, size_t size,
                         int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *count; i++) {
        const char *element = (const char *)base + i * size;
        if (compare(key, element) == 0) {
            return (void *)element;
        }
    }
    return NULL;
}

/* The environment may hold anything, so changing it changes nothing here. */

MODEL_INLINE char *getenv(const char *name) {
    (void)name;
    return __clew_any_bool() ? NULL : model_any_string();
}

MODEL_INLINE char *secure_getenv(const char *name) {
    (void)name;
    return __clew_any_bool() ? NULL : model_any_string();
}

MODEL_INLINE int setenv(const char *name, const char *value, int overwrite) {
    (void)name, (void)value, (void)overwrite;
    return model_any_status();
}

MODEL_INLINE int putenv(char *setting) {
    (void)setting;
    __clew_unsupported("putenv, which makes the program's own string a part of the environment");
}

MODEL_INLINE int unsetenv(const char *name) {
    (void)name;
    return model_any_status();
}

MODEL_INLINE int system(const char *command) {
    (void)command;
    return __clew_any_int();
}
