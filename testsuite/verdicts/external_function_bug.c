// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// flags: --assume-any fill
// A function without a body may write what it gets a pointer to.
extern void reach_error(void);
extern void fill(int *where);
int main(void) {
    int x = 1;
    fill(&x);
    if (x == 1234)
        reach_error();
    return 0;
}
