// expect: value UNSAFE, value-full UNSAFE, value+predicate UNSAFE, k-induction UNSAFE
// truth: unsafe
// inputs: 1,2,0,1,3
// One cell of `weights` changes, through a pointer and only behind a loop, and so does `limit` in a call.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int weights[4] = {3, 1, 4, 1};
int limit = 2;

void widen(int *bound) { *bound = *bound * 2; }

int main(void) {
    int *last = weights + 3;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() == limit) {
            *last = 9;
            widen(&limit);
        }
    }
    while (__VERIFIER_nondet_int()) {
        int at = __VERIFIER_nondet_int();
        if (at >= 0 && at < limit && weights[at] > 5) {
            reach_error();
        }
    }
    return 0;
}
