/* What CBMC's programs ask about pointers and memory; `clew_cprover.h` declares the names that they use. */
#include "model.h"

MODEL_INLINE bool clew_cprover_ok(const void *pointer, size_t bytes) {
    size_t offset = __clew_object_offset(pointer);
    size_t size = __clew_object_bytes(pointer);
    return pointer != NULL && size != SIZE_MAX && offset <= size && bytes <= size - offset;
}

/* The number of an object is its address; null, and what points to no object, have number 0. */
MODEL_INLINE size_t clew_cprover_object(const void *pointer) {
    return (size_t)(uintptr_t)pointer - __clew_object_offset(pointer);
}

MODEL_INLINE ptrdiff_t clew_cprover_offset(const void *pointer) {
    return (ptrdiff_t)__clew_object_offset(pointer);
}

size_t clew_cprover_size(const void *pointer) {
    size_t size = __clew_object_bytes(pointer);
    if (size == SIZE_MAX) {
        __clew_unsupported("the size of a freed object");
    }
    return size;
}

/* The contents of a fresh object are unknown. */
static inline MODEL_INLINE void forget(void *to, size_t bytes) {
    __builtin_memcpy(to, __clew_new_object(bytes), bytes);
}

MODEL_INLINE void clew_cprover_havoc_object(void *pointer) {
    if (!clew_cprover_ok(pointer, 0)) {
        __clew_error("assert", "__CPROVER_havoc_object needs a valid pointer");
    }
    forget((char *)pointer - __clew_object_offset(pointer), __clew_object_bytes(pointer));
}

MODEL_INLINE void clew_cprover_havoc_slice(void *pointer, size_t bytes) {
    if (!clew_cprover_ok(pointer, bytes)) {
        __clew_error("assert", "__CPROVER_havoc_slice leaves the object");
    }
    forget(pointer, bytes);
}

/* Without threads, all is atomic. */
MODEL_INLINE void __CPROVER_atomic_begin(void) {}

MODEL_INLINE void __CPROVER_atomic_end(void) {}
