// expect: value SAFE, value-full SAFE, value+predicate SAFE
// truth: safe
// The token has any value, but its distance from where it started is known all the way.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int token, start, turn;
static void station(void) {
    token += 2;
    turn = (turn + 1) % 4;
}
static int shifted(int value, int by) {
    return value + by;
}
int main(void) {
    for (;;) {
        token = __VERIFIER_nondet_int();
        start = token;
        turn = 0;
        do
            station();
        while (turn != 0);
        assert(token == start + 8);
        int copy = shifted(start, 3);
        copy -= 3;
        assert(copy == start);
        if (__VERIFIER_nondet_int())
            return 0;
    }
}
