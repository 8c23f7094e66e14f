/* C++: std::call_once. The headers of libstdc++ leave what is to run in two variables of the library, and have
 * pthread_once call the function below. */
#include "model.h"

extern "C" {

__thread void *_ZSt15__once_callable;
__thread void (*_ZSt11__once_call)(void);

/* The innermost pthread_once that is running, as in system.c. */
extern struct once {
    int *control;
    once *outer;
} *__clew_once_running;

/* A callable that throws has not run: the next call runs it again. */
void __once_proxy(void) {
    once *running = __clew_once_running;
    try {
        _ZSt11__once_call();
    } catch (...) {
        *running->control = 0;
        __clew_once_running = running->outer;
        throw;
    }
}
}
