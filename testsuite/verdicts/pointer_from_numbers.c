// expect: value UNKNOWN, value-full UNKNOWN
// truth: unsafe
// A pointer is put together from bits in a way that no analysis of pointers follows.
#include <assert.h>
#include <stdint.h>

int main(void) {
    int x = 1, y = 2;
    uintptr_t wanted = (uintptr_t)&x, made = (uintptr_t)&y & ~(uintptr_t)0xfff;
    for (int bit = 0; bit < 12; bit++)
        if (wanted >> bit & 1)
            made |= (uintptr_t)1 << bit;
    *(int *)made = 3;
    assert(x == 1);
}
