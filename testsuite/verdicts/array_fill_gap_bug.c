// expect: value UNSAFE, value-full UNSAFE, cells UNKNOWN
// truth: unsafe
// The second loop begins one element too late.
#include <assert.h>
static int table[8];
int main(void) {
    for (int i = 0; i < 4; i++)
        table[i] = 7;
    for (int i = 5; i < 8; i++)
        table[i] = 7;
    for (int i = 0; i < 8; i++)
        assert(table[i] == 7);
    return 0;
}
