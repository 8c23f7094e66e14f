// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// flags: --entry=second --non-null
// inputs: 1,2,0
// Pointers lead to objects of their types, which have pointers in turn.
#include <assert.h>
#include <stddef.h>
struct node {
    int value;
    struct node *next;
};
int second(const struct node *list) {
    assert(list != NULL && list->next != NULL);
    assert(list->next != list);
    assert(list->value != 1 || list->next->value != 2);
    return 0;
}
