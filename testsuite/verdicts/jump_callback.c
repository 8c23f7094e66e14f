// expect: value SAFE, value-full SAFE
// truth: safe
// A jump out of a comparison that qsort calls, over a global variable that keeps its value.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf target;
static int calls, last = 5;

static int compare(const void *a, const void *b) {
    if (++calls == 2)
        longjmp(target, 4);
    return *(const int *)a - *(const int *)b;
}

static int sort(void) {
    int numbers[] = {4, 3, 2, 1};
    qsort(numbers, 4, sizeof *numbers, compare);
    return numbers[0];
}

int main(void) {
    int code = setjmp(target);
    if (code == 0)
        last = sort();
    assert(code == 4 && calls == 2 && last == 5);
    return 0;
}
