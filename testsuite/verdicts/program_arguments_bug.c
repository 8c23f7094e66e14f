// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// Any text may be given; and a program may change its arguments.
#include <assert.h>
int main(int argc, char **argv) {
    if (argc > 2) {
        assert(argv[1][0] != '-' || argv[1][1] != 'x');
        argv[2] = 0;
        assert(argv[2] != 0);
    }
    return 0;
}
