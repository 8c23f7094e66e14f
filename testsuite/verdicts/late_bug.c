// expect: value UNSAFE, value-full UNSAFE, runs UNSAFE, auto UNSAFE
// truth: unsafe
// inputs: 1
// The way to the violation is long, and nearly all inputs take it.
#include <clew.h>

int main(void) {
    static int cells[5000];
    int step = clew_any_int();
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 5000; i++)
            cells[i] = round + 42;
    for (int i = 0; i < 5000; i++)
        clew_assert(cells[i] == 43 || step == 0);
    return 0;
}
