// truth: safe
#include <cassert>
#include <iostream>

class List {
public:
    ~List() {
        while (head != nullptr) {
            Node *next = head->next;
            delete head;
            head = next;
        }
    }
    void add(int value) {
        head = new Node{value, head};
        count++;
    }
    int sum() const {
        int total = 0;
        for (const Node *n = head; n != nullptr; n = n->next) {
            total += n->value;
        }
        return total;
    }
    int size() const { return count; }

private:
    struct Node {
        int value;
        Node *next;
    };
    Node *head = nullptr;
    int count = 0;
};

int main() {
    List list;
    for (int i = 1; i <= 5; i++) {
        list.add(i);
    }
    std::cout << list.size() << " values, sum " << list.sum() << std::endl;
    assert(list.size() == 5 && list.sum() == 15);
}
