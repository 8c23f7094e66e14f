// truth: safe
#include <algorithm>
#include <cassert>
#include <iostream>

int main() {
    int volume = 50;
    std::cin >> volume;
    volume = std::clamp(volume, 0, 100);
    std::cout << "volume " << volume << '\n';
    assert(volume >= 0 && volume <= 100);
    assert(std::max(volume, 20) >= 20 && std::min(volume, 20) <= 20);
}
