// Calls with arguments and results, recursion, and a call through a pointer.
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static unsigned factorial(unsigned n) {
    if (n == 0)
        return 1;
    return n * factorial(n - 1);
}
int main(int argc, char **argv) {
    int (*operation)(int, int) = argc > 1 ? add : sub;
    int r = operation(4, 3);
    return r + (int)factorial(5);
}
