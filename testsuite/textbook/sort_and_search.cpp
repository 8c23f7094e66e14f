// truth: safe
#include <algorithm>
#include <cassert>
#include <vector>

int main() {
    std::vector<int> v = {5, 2, 8, 1, 9, 3};
    std::sort(v.begin(), v.end());
    assert(std::is_sorted(v.begin(), v.end()));
    assert(v[0] == 1 && v[5] == 9);
    assert(std::binary_search(v.begin(), v.end(), 8));
    assert(!std::binary_search(v.begin(), v.end(), 4));
    assert(std::lower_bound(v.begin(), v.end(), 4) - v.begin() == 3);
}
