// expect: value UNKNOWN, value-full UNKNOWN, predicate SAFE, value+predicate SAFE, k-induction SAFE
// truth: safe
// flags: --time-limit 5s
// Nobody writes to `weights`, nor to `limit`: what they hold is known inside the loop too, wherever it is read.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int weights[8] = {3, 1, 4, 1, 5};
int limit = 8;

int main(void) {
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        int at = __VERIFIER_nondet_int();
        if (at < 0 || at >= limit) {
            continue;
        }
        sum = weights[at];
        if (sum > 5 || sum < 0 || (at > 4 && sum != 0)) {
            reach_error();
        }
    }
    return 0;
}
