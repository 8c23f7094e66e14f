// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// A list on the heap, built, turned around and walked along.
#include <assert.h>
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
int main(void) {
    struct node *list = 0;
    for (int i = 1; i <= 4; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->value = i;
        node->next = list;
        list = node;
    }
    struct node *turned = 0;
    while (list) {
        struct node *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    int expected = 1;
    for (struct node *node = turned; node; node = node->next)
        assert(node->value == expected++);
    assert(expected == 5);
    return 0;
}
