/* Arrays of variable length and alloca. */
#include "check.h"
#include <alloca.h>
#include <string.h>

static unsigned with_vla(int n) {
    int items[n];
    for (int i = 0; i < n; i++)
        items[i] = i * i;
    unsigned sum = 0;
    for (int i = n - 1; i >= 0; i -= 2)
        sum = sum * 3 + (unsigned)items[i];
    return sum + (unsigned)sizeof items;
}

static unsigned grid(int rows, int columns) {
    short cells[rows][columns + 1];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= columns; j++)
            cells[i][j] = (short)(i * 10 + j);
    short(*row)[columns + 1] = &cells[rows / 2];
    return (unsigned)((*row)[columns] + (int)sizeof cells + (int)sizeof *row);
}

static unsigned in_loop(int n) {
    unsigned sum = 0;
    for (int i = 1; i <= n; i++) {
        char text[i + 1];
        memset(text, 'a' + i, (size_t)i);
        text[i] = 0;
        sum += (unsigned)(strlen(text) * (unsigned char)text[0]);
    }
    return sum;
}

struct node { struct node *next; int value; };
static unsigned list_on_stack(int n) {
    struct node *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = alloca(sizeof *fresh);
        *fresh = (struct node){head, i};
        head = fresh;
    }
    unsigned hash = 0;
    for (; head; head = head->next)
        hash = hash * 7 + (unsigned)head->value;
    return hash;
}

static unsigned recursive(int depth) {
    char mine[depth + 1];
    memset(mine, depth, sizeof mine);
    unsigned below = depth > 1 ? recursive(depth - 1) : 0;
    return below + (unsigned)mine[depth] * (unsigned)depth;
}

int main(void) {
    int n = (int)(input() % 12) + 1;
    result(with_vla(n)), result(with_vla(3));
    result(grid(n, 4)), result(grid(3, n));
    result(in_loop(n)), result(list_on_stack(n)), result(recursive(n));
    return 0;
}
