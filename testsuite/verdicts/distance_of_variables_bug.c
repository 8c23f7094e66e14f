// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE
// truth: unsafe
// Every third round, the distance is not what it should be.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int token, start, turn;
static void station(int extra) {
    token += 1 + extra;
    turn = turn + 1;
}
int main(void) {
    int round = 0;
    for (;;) {
        token = __VERIFIER_nondet_int();
        start = token;
        turn = 0;
        while (turn != 3)
            station(round == 2 && turn == 1);
        assert(token == start + 3);
        round = (round + 1) % 3;
    }
}
