// expect: value UNSAFE, value-full UNSAFE, predicate UNSAFE, value+predicate UNSAFE
// truth: unsafe
// flags: --precision location
// inputs: 1,0,0
// Where the second loop begins, nobody tracks `mode` any more: what was known of it just before must not be taken for granted
// behind, as the state there stands for the other mode, too.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int mode = 0;
    if (__VERIFIER_nondet_int())
        mode = 7;
    while (__VERIFIER_nondet_int())
        ;
    if (mode == 3)
        reach_error();
    while (__VERIFIER_nondet_int())
        ;
    if (mode == 7)
        reach_error();
    return 0;
}
