/* Parts of a struct moved over each other, up and down, through a pointer that may point to two of them. */
#include "check.h"
#include <string.h>

struct row { int a, b, c, d, e, f; };

static void show(const struct row *r) {
    result(((((r->a * 31ull + r->b) * 31 + r->c) * 31 + r->d) * 31 + r->e) * 31 + r->f);
}

int main(void) {
    struct row first = {1, 2, 3, 4, 5, 6}, second = {7, 8, 9, 10, 11, 12};
    struct row *p = input() & 1 ? &first : &second;
    memmove(&p->b, &p->a, 4 * sizeof(int));
    show(&first), show(&second);
    memmove(&p->a, &p->b, 5 * sizeof(int));
    show(&first), show(&second);
    memmove(&p->c, &p->a, 3 * sizeof(int));
    show(&first), show(&second);
    return 0;
}
