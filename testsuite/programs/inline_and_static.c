/* Inline functions, function-like macros, recursion through macros, const propagation, weak and alias symbols. */
#include "check.h"

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define REPEAT(n, body) for (int repeat_ = 0; repeat_ < (n); repeat_++) body

static inline int square(int x) { return x * x; }
static __attribute__((noinline)) int cube(int x) { return x * square(x); }
static inline __attribute__((always_inline)) int poly(int x) { return cube(x) + 2 * square(x) + 3; }
__attribute__((weak)) int maybe_missing(int x) { return x + 1; }
int real_name(int x) { return x * 5; }
int other_name(int x) __attribute__((alias("real_name")));
extern int not_there(int) __attribute__((weak));
static __attribute__((pure)) unsigned length(const char *s) { return *s ? 1 + length(s + 1) : 0; }
static __attribute__((noreturn)) void finish(int n);
static void cleanup(int *p) { result((unsigned)*p + 5000); }

static int with_cleanup(int n) {
    __attribute__((cleanup(cleanup))) int guarded = n;
    if (n > 100)
        return guarded * 2;
    guarded++;
    return guarded;
}

#include <stdlib.h>
static void finish(int n) {
    result((unsigned)n);
    exit(0);
}

int main(void) {
    int n = (int)(input() & 0x3FF), calls = 0;
    result((unsigned)MAX(n, 77)), result((unsigned)MAX(calls++, -1)), result((unsigned)calls);
    REPEAT(n % 6, calls += square(repeat_));
    result((unsigned)calls), result((unsigned)poly(n)), result((unsigned)maybe_missing(n)), result((unsigned)other_name(n));
    result(not_there == 0), result(length("measure this")), result((unsigned)with_cleanup(n)), result((unsigned)with_cleanup(200));
    int (*volatile f)(int) = n & 1 ? square : cube;
    result((unsigned)f(n));
    if (n > 3)
        finish(n);
    result(1);
    return 0;
}
