// Pointers: to variables, into arrays and structures, beyond their ends, and to what is gone.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
struct list { struct pair pair; struct list *next; };

static int array[10];
static struct pair pairs[3];
static struct list head;

static int *gone(void) {
    int local = 5;
    int *pointer = &local;
    return pointer;
}

static int twice(int n) { return 2 * n; }

static int sum(const int *from, const int *to) {
    int total = 0;
    while (from != to) {
        total += *from++;
    }
    return total;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 3) {
        return 0;
    }
    int *none = NULL, *first = array, *third = &array[2], *end = array + 10;
    int *to_x = &x, *after_x = &x + 1;
    char *inside = (char *)&x + 1;
    int *member = &pairs[1].second;
    struct pair *pair = &pairs[2];
    void *anything = &head.pair;
    struct list **link = &head.next;
    int (*function)(int) = twice;
    const char *text = "abc", *rest = text + 1, *empty = "";
    struct list *node = malloc(sizeof *node);
    if (!node) {
        return 0;
    }
    *link = node;
    node->pair.second = x;
    int *second = &node->pair.second;
    struct list *dangling = node;
    free(node);
    int *dead = gone();
    array[x] = sum(array, array + x);
    *to_x = function(x);
    *third = 9;
    pair->first = 1;
    assert(*to_x == 0 || none == first || third == end || after_x == 0 || inside == 0 || member == 0 || anything == 0 ||
           rest[0] == 0 || empty[0] != 0 || second == 0 || dangling == 0 || dead == 0);
    return 0;
}
