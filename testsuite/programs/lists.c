/* Linked lists and trees on the heap; container_of; realloc. */
#include "check.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

static void *allocate(size_t size) {
    void *p = malloc(size);
    if (!p)
        abort();
    return p;
}

struct node { int value; struct node *next; };
static struct node *push(struct node *list, int value) {
    struct node *n = allocate(sizeof *n);
    n->value = value, n->next = list;
    return n;
}
static struct node *reversed(struct node *list) {
    struct node *out = 0;
    while (list) {
        struct node *next = list->next;
        list->next = out, out = list, list = next;
    }
    return out;
}
static void insert_sorted(struct node **where, int value) {
    while (*where && (*where)->value < value)
        where = &(*where)->next;
    *where = push(*where, value);
}
static struct node *merge(struct node *a, struct node *b) {
    if (!a || !b)
        return a ? a : b;
    struct node *first = a->value <= b->value ? a : b;
    first->next = first == a ? merge(a->next, b) : merge(a, b->next);
    return first;
}
static unsigned drain(struct node *list) {
    unsigned h = 7;
    while (list) {
        struct node *next = list->next;
        h = h * 31 + (unsigned)list->value;
        free(list);
        list = next;
    }
    return h;
}

struct tree { struct tree *left, *right; int key; unsigned count; };
static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            abort();
        t->key = key;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    else
        t->count++;
    return t;
}
static unsigned walk(struct tree *t, unsigned h) {
    if (!t)
        return h;
    h = walk(t->left, h);
    h = h * 13 + (unsigned)t->key + t->count;
    h = walk(t->right, h);
    free(t);
    return h;
}

/* A doubly linked ring that lives inside its items. */
struct ring { struct ring *next, *previous; };
struct item { int id; struct ring links; char name[6]; };
static void link_after(struct ring *at, struct ring *fresh) {
    fresh->next = at->next, fresh->previous = at;
    at->next->previous = fresh, at->next = fresh;
}
static void unlink(struct ring *r) { r->previous->next = r->next, r->next->previous = r->previous; }

struct vector { int *items; size_t length, capacity; };
static void append(struct vector *v, int x) {
    if (v->length == v->capacity) {
        v->capacity = v->capacity ? v->capacity * 2 : 2;
        v->items = realloc(v->items, v->capacity * sizeof *v->items);
        if (!v->items)
            abort();
    }
    v->items[v->length++] = x;
}

int main(void) {
    unsigned n = input(), m = input() % 8 + 1;
    struct node *list = 0, *sorted = 0;
    struct tree *tree = 0;
    struct vector v = {0};
    for (unsigned i = 0; i < m; i++) {
        int x = (int)((n ^ i * 2654435761u) % 97);
        list = push(list, x), tree = insert(tree, x % 10);
        insert_sorted(&sorted, x), append(&v, x);
    }
    list = reversed(list);
    result((unsigned)list->value);
    struct node *more = 0;
    for (int i = 30; i > 0; i -= 10)
        more = push(more, i);
    result(drain(merge(sorted, more))), result(drain(list)), result(walk(tree, 1));
    unsigned sum = 0;
    for (size_t i = 0; i < v.length; i++)
        sum = sum * 3 + (unsigned)v.items[i];
    result(sum), result(v.capacity);
    v.items = realloc(v.items, sizeof(int));
    result(v.items ? (unsigned)v.items[0] : 0);
    free(v.items);
    free(0);

    struct ring head = {&head, &head};
    struct item items[4];
    for (int i = 0; i < 4; i++) {
        items[i].id = i * 10 + (int)(n & 7);
        strcpy(items[i].name, "item");
        items[i].name[4] = (char)('0' + i), items[i].name[5] = 0;
        link_after(i & 1 ? head.next : &head, &items[i].links);
    }
    unlink(&items[m % 4].links);
    unsigned h = 0;
    for (struct ring *r = head.next; r != &head; r = r->next) {
        struct item *it = container_of(r, struct item, links);
        h = h * 101 + (unsigned)it->id + (unsigned)it->name[4];
    }
    result(h);
    int **rows = allocate(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = calloc(4, sizeof **rows);
        if (!rows[i])
            abort();
        rows[i][i] = (int)n + i;
    }
    result((unsigned)(rows[0][0] + rows[1][1] * 3 + rows[2][2] * 5 + rows[2][3]));
    for (int i = 0; i < 3; i++)
        free(rows[i]);
    free(rows);
    return 0;
}
