// truth: unsafe
#include <cassert>
#include <queue>

int main() {
    std::priority_queue<int> heap;
    heap.push(3);
    heap.push(10);
    heap.push(7);
    assert(heap.top() == 10);
    heap.pop();
    assert(heap.top() == 3);
    assert(heap.size() == 2);
}
