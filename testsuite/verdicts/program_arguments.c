// expect: value UNKNOWN, value-full UNKNOWN, bmc SAFE, value+predicate SAFE
// truth: safe
// Arguments are strings up to argc, where a null pointer is.
#include <assert.h>
int main(int argc, char **argv) {
    if (argc > 5)
        assert(argv[5] != 0);
    int last = argc - 1;
    if (last >= 0)
        assert(argv[last] != 0);
    assert(argv[argc] == 0);
    return 0;
}
