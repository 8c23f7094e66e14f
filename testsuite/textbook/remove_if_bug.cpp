// truth: unsafe
#include <algorithm>
#include <cassert>
#include <vector>

int main() {
    std::vector<int> v = {1, 2, 3, 4, 5, 6};
    std::remove_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; });
    assert(v[0] == 1 && v[1] == 3 && v[2] == 5);
    assert(v.size() == 3);
}
