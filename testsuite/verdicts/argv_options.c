// expect: value SAFE, value-full UNKNOWN
// truth: safe
// flags: --time-limit 10s
// A loop over any number of arguments.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
    int verbose = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
    assert(verbose == 0 || verbose == 1);
    return 0;
}
