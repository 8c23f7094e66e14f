// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --assume-any first,second
// Two unknown functions may return the same pointer.
extern void reach_error(void);
int *first(void);
int *second(void);
int main(void) {
    int *p = first(), *q = second();
    if (p && q) {
        *p = 1;
        *q = 2;
        if (*p != 1)
            reach_error();
    }
    return 0;
}
