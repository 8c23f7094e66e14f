// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>

int main() {
    std::string a = "apple", b = "Banana";
    std::cout << (a < b ? a : b) << " comes first\n";
    assert(a != b);
    assert(a < b);
}
