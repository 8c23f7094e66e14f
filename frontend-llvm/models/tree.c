/* search.h: binary search trees. Which keys are compared is that of an unbalanced tree. */
#include "model.h"

struct node {
    const void *key;
    struct node *left, *right;
};

typedef int (*comparison)(const void *, const void *);

/* Where the node of `key` is, or would be added. */
static struct node **find(const void *key, struct node **root, comparison compare) {
    while (*root != NULL) {
        int order = compare(key, (*root)->key);
        if (order == 0) {
            break;
        }
        root = order < 0 ? &(*root)->left : &(*root)->right;
    }
    return root;
}

void *tsearch(const void *key, void **root, comparison compare) {
    if (root == NULL) {
        return NULL;
    }
    struct node **place = find(key, (struct node **)root, compare);
    if (*place == NULL) {
        struct node *node = __clew_new_object(sizeof *node);
        node->key = key;
        node->left = node->right = NULL;
        *place = node;
    }
    return *place;
}

void *tfind(const void *key, void *const *root, comparison compare) {
    return root == NULL ? NULL : *find(key, (struct node **)root, compare);
}

void *tdelete(const void *key __attribute__((unused)), void **root __attribute__((unused)),
              comparison compare __attribute__((unused))) {
    __clew_unsupported("tdelete");
}

void twalk(const void *root __attribute__((unused)), void (*action)(const void *, int, int) __attribute__((unused))) {
    __clew_unsupported("twalk");
}
