// truth: unsafe
#include <cassert>
#include <iostream>
#include <numeric>

int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return b;
}

int main() {
    std::cout << "gcd " << gcd(84, 36) << ", lcm " << std::lcm(4, 6) << '\n';
    assert(gcd(84, 36) == 12);
    assert(std::gcd(84, 36) == 12);
    assert(std::lcm(4, 6) == 12);
}
