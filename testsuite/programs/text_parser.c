/* A recursive-descent evaluator of expressions, over a text made from the inputs. */
#include "check.h"
#include <ctype.h>
#include <stdio.h>

static const char *at;
static int failed;
static long expression(void);

static void skip(void) {
    while (isspace((unsigned char)*at))
        at++;
}
static int accept(char c) {
    skip();
    if (*at != c)
        return 0;
    at++;
    return 1;
}
static long atom(void) {
    if (accept('(')) {
        long v = expression();
        failed |= !accept(')');
        return v;
    }
    if (accept('-'))
        return -atom();
    skip();
    if (!isdigit((unsigned char)*at)) {
        failed = 1;
        return 0;
    }
    long v = 0;
    while (isdigit((unsigned char)*at))
        v = (v * 10 + (*at++ - '0')) % 1000003;
    return v;
}
static long product(void) {
    long v = atom();
    for (;;) {
        if (accept('*'))
            v = v * atom() % 1000003;
        else if (accept('/')) {
            long by = atom();
            v = by ? v / by : (failed = 2, 0);
        } else
            return v;
    }
}
static long expression(void) {
    long v = product();
    for (;;)
        if (accept('+'))
            v += product();
        else if (accept('-'))
            v -= product();
        else
            return v;
}
static long evaluate(const char *text) {
    at = text, failed = 0;
    long v = expression();
    skip();
    failed |= *at != 0;
    return v;
}

int main(void) {
    char text[80];
    unsigned n = input();
    static const char *const forms[] = {"%u + 2 * (3 - %u)", "-(%u)*%u / 7", "(%u + %u", "%u / (%u - 4) - 1", "((%u))%u"};
    for (unsigned i = 0; i < 5; i++) {
        snprintf(text, sizeof text, forms[i], n % 1000, (n >> 5) % 9);
        result((unsigned long long)(long long)evaluate(text)), result((unsigned)failed);
    }
    return 0;
}
