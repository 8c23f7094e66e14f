// truth: safe
#include <cassert>
#include <iostream>
#include <optional>

std::optional<int> square_root(int n) {
    for (int i = 0; i * i <= n; i++) {
        if (i * i == n) {
            return i;
        }
    }
    return std::nullopt;
}

int main() {
    std::optional<int> root = square_root(49);
    assert(root.has_value() && *root == 7);
    assert(!square_root(50));
    std::cout << square_root(50).value_or(-1) << '\n';
    assert(square_root(50).value_or(-1) == -1);
}
