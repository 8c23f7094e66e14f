/* C++: the life of exceptions, as the Itanium ABI lays it down. Unwinding itself, and finding the handler, are the front
 * end's. */
#include "model.h"

extern "C" {

/* The exception goes up to the next handler for its type. */
MODEL_NORETURN void __clew_throw(void *object, const void *type);
/* What the handler around this call sees: the object, the base that it asked for, or the value of a pointer. The front
 * end finds the handler if nothing branches between its start and the call. */
MODEL_NOTHROW void *__clew_caught(void *object);

MODEL_NORETURN MODEL_NOTHROW void _ZSt9terminatev(void);

/* Lies in front of each exception object, and keeps that aligned. */
struct alignas(MODEL_OBJECT_ALIGNMENT) header {
    const void *type;
    void (*destroy)(void *);
    /* How many handlers are at it; negative while it is on its way again. */
    int handlers;
    struct header *previous;
};

/* The exceptions that are being handled, the last one first. */
static header *handled;
/* How many exceptions are on their way. */
static int uncaught;

static inline MODEL_INLINE MODEL_NOTHROW header *header_of(void *object) {
    return static_cast<header *>(object) - 1;
}

MODEL_INLINE MODEL_NOTHROW void *__cxa_allocate_exception(size_t bytes) {
    return static_cast<header *>(__clew_new_object(sizeof(header) + bytes)) + 1;
}

MODEL_INLINE MODEL_NOTHROW void __cxa_free_exception(void *) {}

MODEL_INLINE MODEL_NORETURN void __cxa_throw(void *object, const void *type, void (*destroy)(void *)) {
    header *exception = header_of(object);
    exception->type = type;
    exception->destroy = destroy;
    exception->handlers = 0;
    uncaught++;
    __clew_throw(object, type);
}

MODEL_INLINE MODEL_NOTHROW void *__cxa_get_exception_ptr(void *object) {
    return __clew_caught(object);
}

MODEL_INLINE MODEL_NOTHROW void *__cxa_begin_catch(void *object) {
    void *seen = __clew_caught(object);
    header *exception = header_of(object);
    exception->handlers = (exception->handlers < 0 ? -exception->handlers : exception->handlers) + 1;
    if (handled != exception) {
        exception->previous = handled;
        handled = exception;
    }
    uncaught--;
    return seen;
}

void __cxa_end_catch(void) {
    header *exception = handled;
    if (exception == nullptr) {
        return;
    }
    if (exception->handlers < 0) {
        /* It is on its way again, and lives on. */
        exception->handlers++;
        if (exception->handlers == 0) {
            handled = exception->previous;
        }
        return;
    }
    exception->handlers--;
    if (exception->handlers == 0) {
        handled = exception->previous;
        if (exception->destroy != nullptr) {
            exception->destroy(exception + 1);
        }
    }
}

MODEL_NORETURN void __cxa_rethrow(void) {
    header *exception = handled;
    if (exception == nullptr) {
        _ZSt9terminatev();
    }
    exception->handlers = -exception->handlers;
    uncaught++;
    __clew_throw(exception + 1, exception->type);
}

}

namespace std {

MODEL_INLINE bool uncaught_exception() noexcept {
    return uncaught > 0;
}
MODEL_INLINE int uncaught_exceptions() noexcept {
    return uncaught;
}

}
