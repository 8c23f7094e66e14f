// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// A division by zero ends the program before the error.
extern void reach_error(void);
static int quotient(int a, int b) { return a / b; }
int main(void) {
    int zero = 0;
    int result = quotient(7, zero);
    reach_error();
    return result;
}
