// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// Fibonacci numbers with a wrong start: the error is some calls deep.
extern void reach_error(void);
static int fibonacci(int n) {
    if (n < 2)
        return 1;
    int result = fibonacci(n - 1) + fibonacci(n - 2);
    if (result == 13)
        reach_error();
    return result;
}
int main(void) { return fibonacci(7); }
