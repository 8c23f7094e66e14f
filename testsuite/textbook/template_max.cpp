// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>

template <typename T> T largest(const T *values, int count) {
    T best = values[0];
    for (int i = 1; i < count; i++) {
        if (values[i] < best) {
            best = values[i];
        }
    }
    return best;
}

int main() {
    int numbers[] = {3, 9, 4};
    std::cout << largest(numbers, 3) << '\n';
    assert(largest(numbers, 3) == 9);
}
