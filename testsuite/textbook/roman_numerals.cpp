// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

std::string roman(int n) {
    static const std::vector<std::pair<int, std::string>> table = {
        {10, "X"}, {9, "IX"}, {5, "V"}, {1, "I"}};
    std::string text;
    for (const auto &[value, digits] : table) {
        while (n >= value) {
            text += digits;
            n -= value;
        }
    }
    return text;
}

int main() {
    std::cout << roman(14) << std::endl;
    assert(roman(14) == "XIV");
    assert(roman(9) == "IX");
}
