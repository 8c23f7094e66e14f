/* Memory that is mapped: private mappings are memory of their own. */
#include "model.h"

enum { SHARED = 1, FIXED = 16, ANONYMOUS = 32 };

static inline MODEL_INLINE void *map(size_t bytes, int flags) {
    if ((flags & FIXED) != 0) {
        __clew_unsupported("mmap at a fixed address");
    }
    if ((flags & SHARED) != 0 && (flags & ANONYMOUS) == 0) {
        __clew_unsupported("mmap of a file that other mappings share");
    }
    if (bytes == 0 || bytes > MODEL_OBJECT_LIMIT || __clew_any_bool()) {
        model_disturb_errno();
        return (void *)-1;
    }
    char *mapped = __clew_new_object(bytes);
    if ((flags & ANONYMOUS) != 0) {
        __builtin_memset(mapped, 0, bytes);
    }
    return mapped;
}

MODEL_INLINE void *mmap(void *wanted, size_t bytes, int protection, int flags, int file, long offset) {
    (void)wanted, (void)protection, (void)file, (void)offset;
    return map(bytes, flags);
}

MODEL_INLINE void *mmap64(void *wanted, size_t bytes, int protection, int flags, int file, long long offset) {
    (void)wanted, (void)protection, (void)file, (void)offset;
    return map(bytes, flags);
}

MODEL_INLINE int munmap(void *mapped, size_t bytes) {
    (void)mapped, (void)bytes;
    return model_any_status();
}
