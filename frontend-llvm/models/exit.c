/* stdlib.h: how a program ends, and what it registered to run then (atexit, on_exit, __cxa_atexit in one list). */
#include "model.h"

enum kind { PLAIN, WITH_STATUS, WITH_ARGUMENT };

struct handler {
    enum kind kind;
    union {
        void (*plain)(void);
        void (*with_status)(int, void *);
        void (*with_argument)(void *);
    } run;
    void *argument;
    struct handler *next;
};

static struct handler *at_exit;
static struct handler *at_quick_exit_list;
/* The status that exit() was given; main's own is not known here. */
static int status;
static bool status_known;

static inline MODEL_INLINE struct handler *add(struct handler **list, enum kind kind, void *argument) {
    struct handler *handler = __clew_new_object(sizeof *handler);
    handler->kind = kind;
    handler->argument = argument;
    handler->next = *list;
    *list = handler;
    return handler;
}

/* A handler may register others, so take them one by one. */
static inline MODEL_INLINE void run_all(struct handler **list) {
    while (*list != NULL) {
        struct handler *handler = *list;
        *list = handler->next;
        switch (handler->kind) {
        case PLAIN:
            handler->run.plain();
            break;
        case WITH_STATUS:
            handler->run.with_status(status_known ? status : __clew_any_int(), handler->argument);
            break;
        case WITH_ARGUMENT:
            handler->run.with_argument(handler->argument);
            break;
        }
    }
}

void __clew_run_atexit(void) {
    run_all(&at_exit);
    __clew_run_destructors();
}

int atexit(void (*handler)(void)) {
    add(&at_exit, PLAIN, NULL)->run.plain = handler;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument) {
    add(&at_exit, WITH_STATUS, argument)->run.with_status = handler;
    return 0;
}

int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    (void)library;
    add(&at_exit, WITH_ARGUMENT, argument)->run.with_argument = handler;
    return 0;
}

/* There is one thread: its objects end before those with static storage, at the same exit. */
int __cxa_thread_atexit(void (*handler)(void *), void *argument, void *library) {
    (void)library;
    add(&at_exit, WITH_ARGUMENT, argument)->run.with_argument = handler;
    return 0;
}

int at_quick_exit(void (*handler)(void)) {
    add(&at_quick_exit_list, PLAIN, NULL)->run.plain = handler;
    return 0;
}

MODEL_NORETURN void exit(int code) {
    status = code;
    status_known = true;
    __clew_run_atexit();
    __clew_halt();
}

MODEL_NORETURN void quick_exit(int code) {
    (void)code;
    run_all(&at_quick_exit_list);
    __clew_halt();
}

MODEL_NORETURN void _Exit(int code) {
    (void)code;
    __clew_halt();
}

MODEL_NORETURN void _exit(int code) {
    (void)code;
    __clew_halt();
}

MODEL_NORETURN void abort(void) {
    __clew_halt();
}
