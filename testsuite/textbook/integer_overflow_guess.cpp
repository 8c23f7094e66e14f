// truth: unsafe
// input: 65536 65536
#include <cassert>
#include <iostream>

int main() {
    int width = 0, height = 0;
    if (!(std::cin >> width >> height)) {
        return 1;
    }
    if (width <= 0 || height <= 0 || width > 100000 || height > 100000) {
        std::cout << "bad size\n";
        return 1;
    }
    unsigned area = static_cast<unsigned>(width) * static_cast<unsigned>(height);
    std::cout << "area " << area << '\n';
    assert(area >= static_cast<unsigned>(width));
}
