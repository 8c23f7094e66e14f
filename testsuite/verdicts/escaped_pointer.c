// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// An unknown function may return what another one was given; writes through that reach the variable.
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
        if (x != 7)
            reach_error();
    }
    return 0;
}
