// Global variables, a static local and a string.
int counter = 3;
static const char *greeting = "hello";
static int next(void) {
    static int calls;
    calls++;
    counter += calls;
    return counter;
}
int main(void) {
    next();
    return next() + greeting[1];
}
