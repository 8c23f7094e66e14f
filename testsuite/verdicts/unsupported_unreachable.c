// expect: value SAFE, value-full SAFE
// truth: safe
// What is not modelled does not matter where control never comes.
extern void reach_error(void);
static int is_old_machine = 0;
int main(void) {
    int x = 1;
    if (is_old_machine)
        __asm__("nop");
    if (x != 1)
        reach_error();
    return 0;
}
