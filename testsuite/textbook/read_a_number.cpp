// truth: safe
#include <cassert>
#include <iostream>

int main() {
    int n = 0;
    std::cout << "How old are you? ";
    if (!(std::cin >> n)) {
        std::cerr << "not a number\n";
        return 1;
    }
    if (n < 0) {
        n = 0;
    }
    if (n > 150) {
        n = 150;
    }
    std::cout << "In ten years: " << n + 10 << '\n';
    assert(n >= 0 && n <= 150);
    assert(n + 10 <= 160);
}
