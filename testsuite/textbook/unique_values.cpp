// truth: safe
#include <algorithm>
#include <cassert>
#include <vector>

int main() {
    std::vector<int> v = {3, 1, 3, 2, 1};
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    assert(v.size() == 3);
    assert(v[0] == 1 && v[1] == 2 && v[2] == 3);
}
