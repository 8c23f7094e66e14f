// Booleans are bytes in memory, but truth values here: inputs, parameters, results, members, copies; not where a byte is seen.
#include <stdbool.h>
bool __VERIFIER_nondet_bool(void);
struct flags {
    bool ready, done;
};
static bool mode, seen;
static bool negated(bool value) { return !value; }
static void set(bool *flag, bool value) { *flag = value; }
int main(void) {
    mode = __VERIFIER_nondet_bool();
    bool other = negated(mode), unset;
    struct flags f = {mode, other && !mode}, copy = f;
    set(&seen, copy.done);
    if (mode == other || unset)
        copy.ready ^= true;
    union {
        bool truth;
        unsigned char byte;
    } view;
    view.truth = copy.ready;
    return view.byte + (seen ? 2 : mode);
}
