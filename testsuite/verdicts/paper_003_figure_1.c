// expect: value SAFE, value-full SAFE, predicate SAFE, value+predicate SAFE
// truth: safe
// flags: --time-limit 20s
// Figure 1 of paper 003: a path to the error is infeasible for two reasons, `flag` and the loop counter. Who tracks the
// counter unrolls the loop.
extern void reach_error(void);
extern void work(int);
int __VERIFIER_nondet_int(void);
int main(void) {
    int flag = __VERIFIER_nondet_int();
    if (flag == 0)
        return 0;
    int i = 0;
    while (1) {
        if (i > 9)
            break;
        work(i);
        i++;
    }
    if (flag == 0) {
        if (i != 10)
            reach_error();
    }
    return 0;
}
