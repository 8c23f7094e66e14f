// truth: safe
#include <cassert>
#include <vector>

int main() {
    std::vector<int> v = {1, 2, 4, 5};
    v.insert(v.begin() + 2, 3);
    assert(v.size() == 5 && v[2] == 3 && v[4] == 5);
    v.erase(v.begin());
    assert(v.front() == 2 && v.back() == 5);
    v.pop_back();
    assert(v.size() == 3);
    v.clear();
    assert(v.empty());
}
