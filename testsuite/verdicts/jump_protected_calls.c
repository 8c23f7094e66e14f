// expect: value UNKNOWN, value-full UNKNOWN, auto SAFE
// truth: safe
// Protected calls as an embedded language makes them: the function with setjmp calls itself through a pointer.
#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

struct handler {
    struct handler *previous;
    jmp_buf target;
    volatile int status;
};

struct state {
    struct handler *innermost;
    int steps;
};

typedef void (*body)(struct state *, void *);

static int protected_call(struct state *s, body f, void *data) {
    struct handler h;
    h.status = 0;
    h.previous = s->innermost;
    s->innermost = &h;
    if (setjmp(h.target) == 0)
        f(s, data);
    s->innermost = h.previous;
    return h.status;
}

static void fail(struct state *s, int status) {
    if (s->innermost != 0) {
        s->innermost->status = status;
        longjmp(s->innermost->target, 1);
    }
}

static void inner(struct state *s, void *data) {
    if (*(int *)data > 10)
        fail(s, 7);
    s->steps++;
}

static void outer(struct state *s, void *data) {
    int status = protected_call(s, inner, data);
    if (status != 0)
        fail(s, status + 1);
    s->steps += 10;
}

int main(void) {
    struct state s = {0, 0};
    int x = __VERIFIER_nondet_int();
    int status = protected_call(&s, outer, &x);
    if (x > 10)
        assert(status == 8 && s.steps == 0);
    else
        assert(status == 0 && s.steps == 11);
    return 0;
}
