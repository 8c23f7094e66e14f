// expect: value SAFE, value-full SAFE, cells SAFE
// truth: safe
// Two loops fill one half of a table each, and a third one copies it.
#include <assert.h>
static int table[40];
static int copy[40];
int main(void) {
    for (int i = 0; i < 20; i++)
        table[i] = 7;
    for (int i = 20; i < 40; i++)
        table[i] = 7;
    for (int i = 0; i < 40; i++)
        copy[i] = table[i];
    for (int i = 0; i < 40; i++)
        assert(copy[i] == 7);
    return 0;
}
