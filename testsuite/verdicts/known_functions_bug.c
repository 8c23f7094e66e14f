// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// The same: it writes the buffer.
#include <assert.h>
#include <unistd.h>
int main(void) {
    char name[16] = "unset";
    gethostname(name, sizeof name);
    assert(name[0] == 'u');
    return 0;
}
