// A linked list on the heap.
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        if (!fresh)
            return 1;
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum += n->value;
    return sum;
}
