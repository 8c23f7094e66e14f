// truth: safe
#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

int main() {
    std::vector<int> v(6);
    std::iota(v.begin(), v.end(), 1);
    assert(std::accumulate(v.begin(), v.end(), 0) == 21);
    assert(std::count_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; }) == 3);
    std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * x; });
    assert(v[5] == 36);
    assert(*std::max_element(v.begin(), v.end()) == 36);
    assert(std::find(v.begin(), v.end(), 17) == v.end());
    assert(std::any_of(v.begin(), v.end(), [](int x) { return x == 25; }));
}
