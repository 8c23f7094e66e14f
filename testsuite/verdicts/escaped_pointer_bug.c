// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --assume-any lookup,publish
// The same, but nothing says that the pointer is another one.
extern void reach_error(void);
int *lookup(void);
void publish(int *);
int main(void) {
    int x;
    publish(&x);
    x = 0;
    int *p = lookup();
    if (p == &x) {
        *p = 7;
        if (x == 7)
            reach_error();
    }
    return 0;
}
