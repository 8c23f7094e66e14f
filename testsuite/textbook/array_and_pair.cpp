// truth: safe
#include <array>
#include <cassert>
#include <tuple>
#include <utility>

std::pair<int, int> range(const std::array<int, 5> &values) {
    int low = values[0], high = values[0];
    for (int v : values) {
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    return {low, high};
}

int main() {
    std::array<int, 5> values = {4, -2, 9, 0, 7};
    auto [low, high] = range(values);
    assert(low == -2 && high == 9);
    std::tuple<int, char, double> t(1, 'x', 2.5);
    assert(std::get<0>(t) == 1 && std::get<1>(t) == 'x' && std::get<2>(t) == 2.5);
}
