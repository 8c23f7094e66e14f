// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE, value+predicate SAFE
// truth: safe
// An unknown function cannot return a pointer to a variable whose address it was never given.
extern void reach_error(void);
int *lookup(void);
int main(void) {
    int x = 3;
    int *p = lookup();
    if (p == &x)
        reach_error();
    if (p) {
        *p = 7;
        if (x != 3)
            reach_error();
    }
    return 0;
}
