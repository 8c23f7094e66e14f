// A ring buffer in C++: whatever goes in comes out in the same order.
#include <clew.h>

template <typename T, unsigned N>
class Queue {
    T items[N];
    unsigned first = 0, count = 0;

public:
    bool push(T item) {
        if (count == N)
            return false;
        items[(first + count++) % N] = item;
        return true;
    }
    T pop() {
        T item = items[first];
        first = (first + 1) % N;
        count--;
        return item;
    }
    bool empty() const { return count == 0; }
};

int main() {
    Queue<int, 4> queue;
    int in = 0, out = 0;
    for (int step = 0; step < 8; step++) {
        if (clew_any_bool())
            in += queue.push(in);
        else if (!queue.empty())
            clew_assert(queue.pop() == out++);
    }
}
