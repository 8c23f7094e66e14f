// truth: unsafe
#include <cassert>
#include <deque>
#include <iostream>

int main() {
    std::deque<int> d;
    d.push_back(2);
    d.push_back(3);
    d.push_front(1);
    std::cout << d.front() << ".." << d.back() << '\n';
    d.pop_front();
    assert(d.size() == 2);
    assert(d.front() == 1);
}
