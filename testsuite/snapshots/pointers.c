// Reads and writes through pointers that can point to one or to several objects.
int __VERIFIER_nondet_int(void);
int main(void) {
    int a = 1, b = 2;
    int *one = &a;
    *one = 5;
    int *either = __VERIFIER_nondet_int() ? &a : &b;
    *either = 6;
    int **twice = &either;
    **twice += 1;
    return a + b;
}
