// truth: safe
#include <algorithm>
#include <cassert>
#include <functional>
#include <vector>

std::function<int(int)> adder(int by) {
    return [by](int x) { return x + by; };
}

int main() {
    std::function<int(int)> add5 = adder(5);
    assert(add5(10) == 15);
    int calls = 0;
    std::vector<int> v = {1, 2, 3};
    std::for_each(v.begin(), v.end(), [&calls](int x) { calls += x; });
    assert(calls == 6);
}
