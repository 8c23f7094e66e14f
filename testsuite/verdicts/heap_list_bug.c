// expect: value UNSAFE, value-full UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 3,5,0
// Numbers are inserted in order, but a mistake puts the second one first without a comparison.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
int main(void) {
    struct node *list = 0;
    for (int count = 0; count < 3; count++) {
        int value = __VERIFIER_nondet_int();
        if (value <= 0)
            break;
        struct node *node = malloc(sizeof *node);
        if (!node)
            return 1;
        node->value = value;
        if (!list || count == 1 || value < list->value) {
            node->next = list;
            list = node;
        } else {
            node->next = list->next;
            list->next = node;
        }
    }
    if (list && list->next && list->value > list->next->value)
        reach_error();
    return 0;
}
