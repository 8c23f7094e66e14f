/* stdlib.h and malloc.h: memory. Allocation never fails up to MODEL_OBJECT_LIMIT, and always above. */
#include "model.h"

/* The size of an array, or more than any object can have if it overflows. */
static inline MODEL_INLINE size_t array_bytes(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

static inline MODEL_INLINE void *resize(void *old, size_t bytes) {
    if (old == NULL) {
        return model_allocate(bytes);
    }
    if (bytes == 0) {
        __clew_free(old); /* As in glibc. */
        return NULL;
    }
    void *fresh = model_allocate(bytes);
    if (fresh != NULL) {
        size_t old_bytes = __clew_object_size(old);
        __builtin_memcpy(fresh, old, old_bytes < bytes ? old_bytes : bytes);
        __clew_free(old);
    }
    return fresh;
}

/* Objects are aligned to MODEL_OBJECT_ALIGNMENT by themselves; for more, the address is rounded up in a larger one.
 * That is not the address that __clew_object_size knows, so such an object must not be reallocated. */
static inline MODEL_INLINE void *allocate_aligned(size_t alignment, size_t bytes) {
    if (alignment <= MODEL_OBJECT_ALIGNMENT) {
        return model_allocate(bytes);
    }
    if (bytes > MODEL_OBJECT_LIMIT || alignment > MODEL_OBJECT_LIMIT - bytes) {
        __clew_errno = MODEL_ENOMEM;
        return NULL;
    }
    char *object = __clew_new_object(bytes + alignment);
    size_t beyond = (uintptr_t)object & (alignment - 1);
    return beyond == 0 ? object : object + (alignment - beyond);
}

static inline MODEL_INLINE bool is_power_of_two(size_t number) {
    return number != 0 && (number & (number - 1)) == 0;
}

MODEL_INLINE void *malloc(size_t bytes) {
    return model_allocate(bytes);
}

MODEL_INLINE void *calloc(size_t count, size_t size) {
    size_t bytes = array_bytes(count, size);
    void *object = model_allocate(bytes);
    if (object != NULL) {
        __builtin_memset(object, 0, bytes);
    }
    return object;
}

MODEL_INLINE void *realloc(void *old, size_t bytes) {
    return resize(old, bytes);
}

MODEL_INLINE void *reallocarray(void *old, size_t count, size_t size) {
    return resize(old, array_bytes(count, size));
}

/* A freed object keeps its address and its place: nothing else is ever allocated there. */
MODEL_INLINE void free(void *object) {
    __clew_free(object);
}

MODEL_INLINE void cfree(void *object) {
    __clew_free(object);
}

MODEL_INLINE void *aligned_alloc(size_t alignment, size_t bytes) {
    if (!is_power_of_two(alignment)) {
        __clew_errno = MODEL_EINVAL;
        return NULL;
    }
    return allocate_aligned(alignment, bytes);
}

/* glibc rounds the alignment up to a power of two; any larger alignment is a correct answer as well. */
MODEL_INLINE void *memalign(size_t alignment, size_t bytes) {
    size_t rounded = MODEL_OBJECT_ALIGNMENT;
    while (rounded < alignment && rounded <= MODEL_OBJECT_LIMIT) {
        rounded *= 2;
    }
    return allocate_aligned(rounded, bytes);
}

MODEL_INLINE int posix_memalign(void **object, size_t alignment, size_t bytes) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) {
        return MODEL_EINVAL;
    }
    int errno_before = __clew_errno;
    void *fresh = allocate_aligned(alignment, bytes);
    __clew_errno = errno_before;
    if (fresh == NULL) {
        return MODEL_ENOMEM;
    }
    *object = fresh;
    return 0;
}

MODEL_INLINE void *valloc(size_t bytes) {
    return allocate_aligned(4096, bytes);
}

MODEL_INLINE void *pvalloc(size_t bytes) {
    return bytes > MODEL_OBJECT_LIMIT ? model_allocate(bytes) : allocate_aligned(4096, (bytes + 4095) & ~(size_t)4095);
}
