// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// What library functions without a model write and return is known.
#include <assert.h>
#include <unistd.h>
#include <wchar.h>
int main(void) {
    int mine = 4;
    wchar_t copy[8];
    wchar_t *start = wcscpy(copy, L"hi");
    assert(start == copy);
    char name[16];
    gethostname(name, sizeof name);
    assert(mine == 4);
    return 0;
}
