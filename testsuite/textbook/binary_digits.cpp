// truth: safe
#include <cassert>
#include <string>

std::string binary(unsigned n) {
    std::string digits;
    do {
        digits.insert(digits.begin(), n % 2 == 0 ? '0' : '1');
        n /= 2;
    } while (n > 0);
    return digits;
}

int main() {
    assert(binary(0) == "0");
    assert(binary(10) == "1010");
}
