// truth: unsafe
#include <cassert>
#include <iostream>
#include <memory>

struct Node {
    int value;
    std::shared_ptr<Node> next;
};

int main() {
    auto first = std::make_shared<Node>();
    auto second = std::make_shared<Node>();
    first->value = 1;
    second->value = 2;
    first->next = second;
    std::cout << first->next->value << std::endl;
    assert(first.use_count() == 1);
    assert(second.use_count() == 1);
}
