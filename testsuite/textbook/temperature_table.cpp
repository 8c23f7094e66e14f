// truth: unsafe
#include <cassert>
#include <iomanip>
#include <iostream>

double to_fahrenheit(double celsius) { return celsius * (9 / 5) + 32; }

int main() {
    std::cout << std::fixed << std::setprecision(1);
    for (int c = -40; c <= 100; c += 20) {
        std::cout << std::setw(6) << c << std::setw(8) << to_fahrenheit(c) << '\n';
    }
    assert(to_fahrenheit(-40) == -40);
    assert(to_fahrenheit(100) == 212);
}
