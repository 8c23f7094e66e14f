// A priority queue gives its elements in order.
#include <queue>

#include "harness.h"

int main() {
    std::priority_queue<int> queue;
    for (int i = 0; i < 3; i++)
        queue.push(__VERIFIER_nondet_int());
    int last = queue.top();
    queue.pop();
    while (!queue.empty()) {
        claim(queue.top() <= last);
        last = queue.top();
        queue.pop();
    }
}
