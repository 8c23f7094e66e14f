// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 3
// The reader of an image keeps its error handler in its own structure; the fourth row is never read.
#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

struct reader {
    jmp_buf on_error;
    int error;
    int rows[4];
};

static void fail(struct reader *r, int error) {
    r->error = error;
    longjmp(r->on_error, 1);
}

static void read_row(struct reader *r, int i, int bad) {
    if (i == bad)
        fail(r, -1);
    r->rows[i] = i + 1;
}

static int read_image(struct reader *r, int bad) {
    if (setjmp(r->on_error))
        return r->error;
    for (int i = 0; i < 4; i++)
        read_row(r, i, bad);
    return 0;
}

int main(void) {
    struct reader r = {0};
    int error = read_image(&r, __VERIFIER_nondet_int());
    assert(r.rows[2] != 3 || error == 0);
    return 0;
}
