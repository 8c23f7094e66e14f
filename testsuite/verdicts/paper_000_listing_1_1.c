// expect: value SAFE, value-full SAFE, predicate SAFE
// truth: safe
// flags: --time-limit 5s
// Listing 1.1 of paper 000: `flag` is all that matters, and whoever tracks `ticks` too never comes to an end.
extern void reach_error(void);
extern int system_call(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int flag = 0, ticks = 0, result;
    while (1) {
        ticks = ticks + 1;
        result = system_call();
        if (result == 0 || ticks > x)
            break;
    }
    if (flag > 0)
        reach_error();
    return 0;
}
