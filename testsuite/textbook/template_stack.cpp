// truth: safe
#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> class Stack {
public:
    void push(const T &value) { items.push_back(value); }
    T pop() {
        if (items.empty()) {
            throw std::underflow_error("empty stack");
        }
        T top = items.back();
        items.pop_back();
        return top;
    }
    bool empty() const { return items.empty(); }

private:
    std::vector<T> items;
};

int main() {
    Stack<std::string> words;
    words.push("hello");
    words.push("world");
    assert(words.pop() == "world");
    assert(words.pop() == "hello");
    bool failed = false;
    try {
        words.pop();
    } catch (const std::underflow_error &) {
        failed = true;
    }
    assert(failed && words.empty());
}
