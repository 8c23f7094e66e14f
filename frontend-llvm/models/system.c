/* unistd.h, fcntl.h, signal.h and pthread.h: the operating system may answer anything. There is one thread. */
#include "model.h"

/* A descriptor, a process or the like; or -1 with some errno. */
static inline MODEL_INLINE int any_number(void) {
    int number = model_any_int_between(-1, INT_MAX);
    if (number == -1) {
        __clew_errno = model_any_int_between(1, 4095);
    }
    return number;
}

static inline MODEL_INLINE ssize_t any_transferred(size_t most) {
    if (__clew_any_bool()) {
        __clew_errno = model_any_int_between(1, 4095);
        return -1;
    }
    return (ssize_t)model_any_size_to(most < (size_t)PTRDIFF_MAX ? most : (size_t)PTRDIFF_MAX);
}

MODEL_INLINE ssize_t read(int file, void *to, size_t bytes) {
    (void)file;
    ssize_t got = any_transferred(bytes);
    if (got > 0) {
        model_fill_unknown(to, (size_t)got);
    }
    return got;
}

MODEL_INLINE ssize_t write(int file, const void *from, size_t bytes) {
    (void)file, (void)from;
    return any_transferred(bytes);
}

MODEL_INLINE int open(const char *path, int flags, ...) {
    (void)path, (void)flags;
    return any_number();
}

MODEL_INLINE int open64(const char *path, int flags, ...) {
    (void)path, (void)flags;
    return any_number();
}

MODEL_INLINE int creat(const char *path, unsigned mode) {
    (void)path, (void)mode;
    return any_number();
}

MODEL_INLINE int close(int file) {
    (void)file;
    return model_any_status();
}

MODEL_INLINE int dup(int file) {
    (void)file;
    return any_number();
}

MODEL_INLINE int dup2(int file, int other) {
    (void)file;
    return model_any_status() == 0 ? other : -1;
}

MODEL_INLINE long lseek(int file, long offset, int whence) {
    (void)file, (void)offset, (void)whence;
    long position = __clew_any_long();
    __clew_fact(position >= -1);
    return position;
}

MODEL_INLINE int pipe(int ends[2]) {
    int status = model_any_status();
    if (status == 0) {
        ends[0] = model_any_int_between(0, INT_MAX);
        ends[1] = model_any_int_between(0, INT_MAX);
    }
    return status;
}

#define STATUS_OF_PATH(name)                                                                                           \
    MODEL_INLINE int name(const char *path) {                                                                          \
        (void)path;                                                                                                    \
        return model_any_status();                                                                                     \
    }
#define STATUS_OF_FILE(name)                                                                                           \
    MODEL_INLINE int name(int file) {                                                                                  \
        (void)file;                                                                                                    \
        return model_any_status();                                                                                     \
    }
STATUS_OF_PATH(unlink)
STATUS_OF_PATH(rmdir)
STATUS_OF_PATH(chdir)
STATUS_OF_FILE(fsync)
STATUS_OF_FILE(fdatasync)

MODEL_INLINE int mkdir(const char *path, unsigned mode) {
    (void)path, (void)mode;
    return model_any_status();
}

MODEL_INLINE int chmod(const char *path, unsigned mode) {
    (void)path, (void)mode;
    return model_any_status();
}

MODEL_INLINE int access(const char *path, int mode) {
    (void)path, (void)mode;
    return model_any_status();
}

MODEL_INLINE char *getcwd(char *to, size_t room) {
    if (__clew_any_bool()) {
        __clew_errno = model_any_int_between(1, 4095);
        return NULL;
    }
    if (to == NULL) {
        return model_any_string();
    }
    __clew_fact(room > 0);
    size_t length = model_any_size_to(room - 1);
    model_fill_unknown(to, length);
    to[length] = '\0';
    return to;
}

MODEL_INLINE int isatty(int file) {
    (void)file;
    return __clew_any_bool();
}

#define IDENTITY(name)                                                                                                 \
    MODEL_INLINE int name(void) {                                                                                      \
        return model_any_int_between(0, INT_MAX);                                                                      \
    }
#define USER_IDENTITY(name)                                                                                            \
    MODEL_INLINE unsigned name(void) {                                                                                 \
        return __clew_any_uint();                                                                                      \
    }
IDENTITY(getpid)
IDENTITY(getppid)
IDENTITY(getpgrp)
IDENTITY(getpagesize)
USER_IDENTITY(getuid)
USER_IDENTITY(geteuid)
USER_IDENTITY(getgid)
USER_IDENTITY(getegid)

MODEL_INLINE long sysconf(int name) {
    (void)name;
    return __clew_any_long();
}

MODEL_INLINE unsigned sleep(unsigned seconds) {
    unsigned left = __clew_any_uint();
    __clew_fact(left <= seconds);
    return left;
}

MODEL_INLINE int usleep(unsigned microseconds) {
    (void)microseconds;
    return model_any_status();
}

MODEL_INLINE int sched_yield(void) {
    return model_any_status();
}

/* SIG_DFL and SIG_IGN are 0 and 1. A handler would run at any point of the program. */
MODEL_INLINE void (*signal(int number, void (*handler)(int)))(int) {
    (void)number;
    if ((uintptr_t)handler > 1) {
        __clew_unsupported("signal handlers");
    }
    return __clew_any_bool() ? NULL : (void (*)(int))(intptr_t)(__clew_any_bool() ? 1 : -1);
}

MODEL_INLINE int sigaction(int number, const void *action, void *old) {
    (void)number, (void)action, (void)old;
    __clew_unsupported("signal handlers");
}

/* There are no handlers, so a signal ends the program or is ignored. */
MODEL_INLINE int raise(int number) {
    (void)number;
    if (__clew_any_bool()) {
        __clew_halt();
    }
    return model_any_status();
}

/* Like raise if it is sent to this process. */
MODEL_INLINE int kill(int process, int number) {
    (void)process, (void)number;
    if (__clew_any_bool()) {
        __clew_halt();
    }
    return model_any_status();
}

/* The alarm ends the program some time later, which shows no behaviour that it does not show without. */
MODEL_INLINE unsigned alarm(unsigned seconds) {
    (void)seconds;
    return __clew_any_uint();
}

int fork(void) {
    __clew_unsupported("fork");
}

int vfork(void) {
    __clew_unsupported("fork");
}

int pthread_create(void *thread, const void *attributes, void *(*start)(void *), void *argument) {
    (void)thread, (void)attributes, (void)start, (void)argument;
    __clew_unsupported("threads");
}

int thrd_create(void *thread, int (*start)(void *), void *argument) {
    (void)thread, (void)start, (void)argument;
    __clew_unsupported("threads");
}

/* With one thread, a lock is always free, unless the program locks twice: then it would wait for ever. */
#define NO_EFFECT(name)                                                                                                \
    MODEL_INLINE int name(void *object) {                                                                              \
        (void)object;                                                                                                  \
        return 0;                                                                                                      \
    }
#define NO_EFFECT_WITH(name)                                                                                           \
    MODEL_INLINE int name(void *object, const void *attributes) {                                                      \
        (void)object, (void)attributes;                                                                                \
        return 0;                                                                                                      \
    }
NO_EFFECT_WITH(pthread_mutex_init)
NO_EFFECT(pthread_mutex_destroy)
NO_EFFECT(pthread_mutex_lock)
NO_EFFECT(pthread_mutex_unlock)
NO_EFFECT(pthread_mutexattr_init)
NO_EFFECT(pthread_mutexattr_destroy)
NO_EFFECT_WITH(pthread_rwlock_init)
NO_EFFECT(pthread_rwlock_destroy)
NO_EFFECT(pthread_rwlock_rdlock)
NO_EFFECT(pthread_rwlock_wrlock)
NO_EFFECT(pthread_rwlock_unlock)
NO_EFFECT_WITH(pthread_cond_init)
NO_EFFECT(pthread_cond_destroy)
NO_EFFECT(pthread_cond_signal)
NO_EFFECT(pthread_cond_broadcast)
NO_EFFECT(pthread_attr_init)
NO_EFFECT(pthread_attr_destroy)

MODEL_INLINE int pthread_mutexattr_settype(void *attributes, int type) {
    (void)attributes;
    if (type == 2) {
        __clew_unsupported("mutexes that check for errors");
    }
    return 0;
}

/* 0, or EBUSY if this very thread holds the lock. */
MODEL_INLINE int pthread_mutex_trylock(void *mutex) {
    (void)mutex;
    return __clew_any_bool() ? 0 : 16;
}

/* Nobody else could signal, but a wait may end without. */
MODEL_INLINE int pthread_cond_wait(void *condition, void *mutex) {
    (void)condition, (void)mutex;
    return 0;
}

MODEL_INLINE unsigned long pthread_self(void) {
    return 1;
}

MODEL_INLINE int pthread_equal(unsigned long a, unsigned long b) {
    return a == b;
}

/* The innermost pthread_once that is running; cxx_once.cpp has the same. */
struct once {
    int *control;
    struct once *outer;
} *__clew_once_running;

enum { ONCE_NEVER, ONCE_RUNNING, ONCE_DONE };

int pthread_once(int *control, void (*start)(void)) {
    if (*control == ONCE_RUNNING) {
        __clew_unsupported("a function that runs once and calls itself, or that ended with an exception or a jump");
    }
    if (*control == ONCE_NEVER) {
        struct once once = {control, __clew_once_running};
        __clew_once_running = &once;
        *control = ONCE_RUNNING;
        start();
        *control = ONCE_DONE;
        __clew_once_running = once.outer;
    }
    return 0;
}

void call_once(int *control, void (*start)(void)) {
    pthread_once(control, start);
}

MODEL_NORETURN void pthread_exit(void *result) {
    (void)result;
    __clew_run_atexit();
    __clew_halt();
}
