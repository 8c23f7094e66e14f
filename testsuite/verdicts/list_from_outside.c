// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// A list that an unknown function builds does not contain a variable of the program that it has never seen.
extern void reach_error(void);
struct node {
    struct node *next;
    int value;
};
void build(struct node **list);
int main(void) {
    struct node *list, mine = {0, 5};
    build(&list);
    int count = 0;
    for (struct node *at = list; at && count < 3; at = at->next, count++)
        at->value = 1;
    if (mine.value != 5)
        reach_error();
    return 0;
}
