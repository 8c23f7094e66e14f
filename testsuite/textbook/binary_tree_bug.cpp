// truth: unsafe
#include <cassert>
#include <memory>

struct Tree {
    int key;
    std::unique_ptr<Tree> left, right;
};

bool insert(std::unique_ptr<Tree> &tree, int key) {
    if (!tree) {
        tree = std::make_unique<Tree>();
        tree->key = key;
        return true;
    }
    if (key == tree->key) {
        return false;
    }
    return insert(key < tree->key ? tree->right : tree->left, key);
}

int main() {
    std::unique_ptr<Tree> root;
    assert(insert(root, 5));
    assert(insert(root, 3));
    assert(!insert(root, 5));
    assert(root->left && root->left->key < root->key);
}
