// truth: safe
#include <cassert>
#include <iostream>
#include <memory>

struct Tree {
    int key;
    std::unique_ptr<Tree> left, right;
};

void insert(std::unique_ptr<Tree> &tree, int key) {
    if (!tree) {
        tree = std::make_unique<Tree>();
        tree->key = key;
    } else if (key < tree->key) {
        insert(tree->left, key);
    } else {
        insert(tree->right, key);
    }
}

int depth(const std::unique_ptr<Tree> &tree) {
    if (!tree) {
        return 0;
    }
    int l = depth(tree->left), r = depth(tree->right);
    return 1 + (l > r ? l : r);
}

int main() {
    std::unique_ptr<Tree> root;
    for (int key : {5, 2, 8, 1, 3}) {
        insert(root, key);
    }
    std::cout << "depth " << depth(root) << '\n';
    assert(depth(root) == 3);
    assert(root->left->right->key == 3);
}
