// truth: unsafe
#include <cassert>
#include <iostream>
#include <unordered_map>

int main() {
    std::unordered_map<int, int> prices = {{1, 100}, {2, 250}};
    prices[2] -= 50;
    prices.erase(1);
    std::cout << prices.size() << std::endl;
    assert(prices[2] == 250);
}
