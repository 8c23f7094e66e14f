// truth: safe
#include <cassert>
#include <string>

int main() {
    std::string text = std::to_string(1729);
    assert(text == "1729");
    assert(std::stoi(text) + 1 == 1730);
    assert(std::stoi("-12") == -12);
    assert(std::stoi("ff", nullptr, 16) == 255);
}
