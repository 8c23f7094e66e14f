// expect: value UNSAFE, value-full UNSAFE, cells UNKNOWN
// truth: unsafe
// A byte of one element is written through another pointer.
#include <assert.h>
static int table[8];
int main(void) {
    char *bytes = (char *)table;
    for (int i = 0; i < 8; i++)
        table[i] = 7;
    bytes[10] = 1;
    for (int i = 0; i < 8; i++)
        assert(table[i] == 7);
    return 0;
}
