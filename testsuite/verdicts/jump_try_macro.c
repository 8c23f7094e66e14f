// expect: value UNKNOWN, value-full UNKNOWN, auto SAFE
// truth: safe
// Nested blocks that catch errors, made of setjmp and longjmp.
#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

static jmp_buf *innermost;
static int error;

#define TRY                                                                                                            \
    do {                                                                                                               \
        jmp_buf here;                                                                                                  \
        jmp_buf *outer = innermost;                                                                                    \
        innermost = &here;                                                                                             \
        error = setjmp(here);                                                                                          \
        if (error == 0) {
#define CATCH                                                                                                          \
    innermost = outer;                                                                                                 \
    }                                                                                                                  \
    else {                                                                                                             \
        innermost = outer;
#define END                                                                                                            \
    }                                                                                                                  \
    }                                                                                                                  \
    while (0)

static void fail(int code) {
    longjmp(*innermost, code);
}

static int inverse(int x) {
    if (x == 0)
        fail(3);
    return 100 / x;
}

int main(void) {
    volatile int result = 0;
    int x = __VERIFIER_nondet_int();
    TRY {
        TRY {
            result = inverse(x);
        }
        CATCH {
            assert(error == 3);
            fail(4);
        }
        END;
    }
    CATCH {
        assert(error == 4);
        result = -1000;
    }
    END;
    assert(innermost == 0);
    assert((x == 0) == (result == -1000));
    return 0;
}
