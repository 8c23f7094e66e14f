// truth: safe
#include <cassert>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> squares;
    for (int i = 1; i <= 10; i++) {
        squares.push_back(i * i);
    }
    int sum = 0;
    for (int square : squares) {
        std::cout << square << ' ';
        sum += square;
    }
    std::cout << "\nsum " << sum << std::endl;
    assert(squares.size() == 10);
    assert(sum == 385);
}
