// truth: unsafe
// input: 7 0
#include <cassert>
#include <iostream>

int average(int sum, int count) {
    assert(count != 0);
    return sum / count;
}

int main() {
    int sum = 0, count = 0;
    std::cout << "sum and count: ";
    if (std::cin >> sum >> count) {
        std::cout << average(sum, count) << '\n';
    }
}
