// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// What is not modelled does not matter where control never comes.
extern void reach_error(void);
static int is_old_machine = 0;
int main(void) {
    int x = 1, y = 0;
    if (is_old_machine)
        __asm__("incl %0" : "+r"(y));
    if (x != 1)
        reach_error();
    return 0;
}
