// truth: safe
#include <cassert>
#include <list>

int main() {
    std::list<int> a = {1, 3, 5}, b = {2, 4};
    a.merge(b);
    assert(b.empty() && a.size() == 5);
    int expected = 1;
    for (int x : a) {
        assert(x == expected);
        expected++;
    }
    a.remove(3);
    a.reverse();
    assert(a.front() == 5 && a.size() == 4);
}
