/* Constructors, destructors, atexit and exit: what runs before and after main, and in which order. */
#include "check.h"
#include <stdlib.h>

static int stage;
__attribute__((constructor(200))) static void second(void) { stage = stage * 10 + 2; }
__attribute__((constructor(150))) static void first(void) { stage = stage * 10 + 1; }
__attribute__((constructor)) static void third(void) { stage = stage * 10 + 3, result((unsigned)stage); }
__attribute__((destructor)) static void early(void) { result(601); }
__attribute__((destructor(300))) static void middle(void) { result(602); }
__attribute__((destructor(200))) static void late(void) { result(603); }

static void one(void) { result(501); }
static void nested(void) { result(503); }
static void two(void) {
    result(502);
    atexit(nested);
}

static void leave(unsigned how) {
    if (how > 2)
        exit(0);
}

int main(void) {
    unsigned n = input();
    result((unsigned)stage);
    atexit(one);
    atexit(two);
    if (n & 1)
        atexit(one);
    leave(n % 5);
    result(1000);
    return 0;
}
