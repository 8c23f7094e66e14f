/* _Bool in variables, structures, arrays and unions; seen as a byte, copied, filled and changed through pointers. */
#include "check.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

struct flags {
    bool ready, done;
    unsigned char level;
    bool history[3];
};
union view {
    bool truth;
    unsigned char byte;
};

static bool global, initialised = true;
static _Atomic bool latch;
static bool seen_as_byte;
static unsigned char lowest_bit; /* no bool, but only its lowest bit is ever looked at */
static struct flags shared;

static bool negated(bool value) { return !value; }
static bool toggle(bool *flag) {
    *flag = !*flag;
    return *flag;
}
static bool parity(unsigned n) {
    bool odd = false;
    for (; n; n &= n - 1)
        odd ^= 1;
    return odd;
}
static unsigned of(struct flags f) { return f.ready | f.done << 1 | f.level << 2 | f.history[1] << 10; }

int main(void) {
    unsigned n = input();
    global = n;
    bool local = negated(global), other = n & 4;
    result(global | local << 1 | other << 2 | initialised << 3);
    initialised = local && other;
    result(initialised + (global ? 10 : 20) + local * 100);
    result(toggle(&global) + 2 * toggle(&other) + 4 * (global == other) + 8 * (global < other));

    struct flags f = {.ready = n & 1, .level = (unsigned char)n, .history = {true, n & 2, false}};
    shared = f;
    shared.done = shared.ready != f.history[1];
    result(of(shared) + of(f));
    memset(&f, 0, sizeof f);
    result(of(f));
    f.history[n % 3] = parity(n);
    for (int i = 0; i < 3; i++)
        result(f.history[i]);

    union view v;
    v.truth = n & 8;
    result(v.byte);
    v.byte = (unsigned char)(n & 1);
    result(v.truth);

    seen_as_byte = n > 20;
    unsigned char byte;
    memcpy(&byte, &seen_as_byte, 1);
    result(byte);
    byte = n & 1;
    memcpy(&seen_as_byte, &byte, 1);
    result(seen_as_byte);

    lowest_bit = (unsigned char)n;
    result((_Bool)(lowest_bit & 1));

    atomic_store(&latch, n & 16);
    bool before = atomic_exchange(&latch, local), expected = local;
    bool swapped = atomic_compare_exchange_strong(&latch, &expected, true);
    result(before | latch << 1 | swapped << 2 | expected << 3);

    volatile bool watched = n & 32;
    struct { bool a : 1, b : 1; unsigned rest : 6; } packed = {n & 1, !(n & 1), n & 63};
    result(watched | packed.a << 1 | packed.b << 2 | packed.rest << 3);
    double number = n % 7;
    bool from_number = number, from_pointer = &packed;
    result(from_number | from_pointer << 1);
    result((unsigned long long)(-(int)global) ^ ~(unsigned)local);
    return 0;
}
