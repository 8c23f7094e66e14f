/* LL_SORT sorts a list of three numbers. */
#include "harness.h"
#include "uthash/src/utlist.h"

struct node {
    int number;
    struct node *next;
};

static int compare(struct node *a, struct node *b) { return (a->number > b->number) - (a->number < b->number); }

int main(void) {
    struct node nodes[3], *list = NULL;
    for (int i = 0; i < 3; i++) {
        nodes[i].number = __VERIFIER_nondet_int();
        LL_PREPEND(list, &nodes[i]);
    }
    LL_SORT(list, compare);
    int count = 0;
    for (struct node *node = list; node; node = node->next, count++)
        claim(!node->next || node->number <= node->next->number);
    claim(count == 3);
}
