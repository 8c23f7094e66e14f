// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// flags: --assume-any tick
// An unknown function may change a variable that is defined where it is.
extern void reach_error(void);
extern int counter;
void tick(void);
int main(void) {
    counter = 1;
    tick();
    if (counter != 1)
        reach_error();
    return 0;
}
