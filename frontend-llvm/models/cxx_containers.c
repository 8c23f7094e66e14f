/* C++: the linked structures behind std::map, std::set and std::list of libstdc++, by their mangled names. */
#include "model.h"

/* std::_Rb_tree_node_base. The header of a tree is a red node whose parent is the root and whose left and right are the
 * first and the last node. The trees here are not balanced, which only their speed would show; all nodes are black, so
 * that the header can be told from the root. */
enum color { RED, BLACK };

struct tree_node {
    enum color color;
    struct tree_node *parent, *left, *right;
};

static struct tree_node *successor(struct tree_node *node) {
    if (node->right != NULL) {
        node = node->right;
        while (node->left != NULL) {
            node = node->left;
        }
        return node;
    }
    struct tree_node *parent = node->parent;
    while (parent->color != RED && node == parent->right) {
        node = parent;
        parent = parent->parent;
    }
    return parent;
}

static struct tree_node *predecessor(struct tree_node *node) {
    if (node->color == RED) {
        return node->right; /* Before the end comes the last node. */
    }
    if (node->left != NULL) {
        node = node->left;
        while (node->right != NULL) {
            node = node->right;
        }
        return node;
    }
    struct tree_node *parent = node->parent;
    while (parent->color != RED && node == parent->left) {
        node = parent;
        parent = parent->parent;
    }
    return parent;
}

struct tree_node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct tree_node *node) {
    return successor(node);
}

struct tree_node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct tree_node *node) {
    return successor(node);
}

struct tree_node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct tree_node *node) {
    return predecessor(node);
}

struct tree_node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct tree_node *node) {
    return predecessor(node);
}

/* std::_Rb_tree_insert_and_rebalance: the parent is the header if the tree is empty. */
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *node,
                                                                       struct tree_node *parent,
                                                                       struct tree_node *header) {
    node->color = BLACK;
    node->parent = parent;
    node->left = NULL;
    node->right = NULL;
    if (parent == header) {
        header->parent = node;
        header->left = node;
        header->right = node;
    } else if (left) {
        parent->left = node;
        if (parent == header->left) {
            header->left = node;
        }
    } else {
        parent->right = node;
        if (parent == header->right) {
            header->right = node;
        }
    }
}

/* Lets `fresh` (which may be null) take the place that `old` has under its parent. */
static void replace_child(struct tree_node *old, struct tree_node *fresh, struct tree_node *header) {
    struct tree_node *parent = old->parent;
    if (parent == header) {
        header->parent = fresh;
    } else if (parent->left == old) {
        parent->left = fresh;
    } else {
        parent->right = fresh;
    }
    if (fresh != NULL) {
        fresh->parent = parent;
    }
}

/* std::_Rb_tree_rebalance_for_erase: gives the node to free, which is the one that was unlinked. */
struct tree_node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *node,
                                                                               struct tree_node *header) {
    if (header->left == node) {
        header->left = successor(node); /* The header itself if the tree gets empty. */
    }
    if (header->right == node) {
        struct tree_node *before = predecessor(node);
        header->right = before;
    }
    if (node->left == NULL) {
        replace_child(node, node->right, header);
    } else if (node->right == NULL) {
        replace_child(node, node->left, header);
    } else {
        struct tree_node *next = successor(node);
        if (next != node->right) {
            replace_child(next, next->right, header);
            next->right = node->right;
            next->right->parent = next;
        }
        replace_child(node, next, header);
        next->left = node->left;
        next->left->parent = next;
    }
    return node;
}

/* std::__detail::_List_node_base: a ring in which the list itself is a node. */
struct list_node {
    struct list_node *next, *previous;
};

/* Before `position`. */
MODEL_INLINE void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list_node *node, struct list_node *position) {
    node->next = position;
    node->previous = position->previous;
    position->previous->next = node;
    position->previous = node;
}

MODEL_INLINE void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct list_node *node) {
    node->previous->next = node->next;
    node->next->previous = node->previous;
}

/* Moves the nodes from `first` up to, but not including, `last` before `position`. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list_node *position, struct list_node *first,
                                                          struct list_node *last) {
    if (position == last || first == last) {
        return;
    }
    struct list_node *final = last->previous;
    struct list_node *before = position->previous;
    first->previous->next = last;
    last->previous = first->previous;
    before->next = first;
    first->previous = before;
    final->next = position;
    position->previous = final;
}

void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct list_node *list) {
    struct list_node *node = list;
    do {
        struct list_node *next = node->next;
        node->next = node->previous;
        node->previous = next;
        node = next;
    } while (node != list);
}

/* Takes the neighbours of `from`, whose ring then goes through `to`. */
static void take_place(struct list_node *to, struct list_node from, const struct list_node *old) {
    if (from.next == old) {
        to->next = to;
        to->previous = to;
    } else {
        *to = from;
        to->next->previous = to;
        to->previous->next = to;
    }
}

void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct list_node *a, struct list_node *b) {
    struct list_node old_a = *a;
    struct list_node old_b = *b;
    take_place(a, old_b, b);
    take_place(b, old_a, a);
}
