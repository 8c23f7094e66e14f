// truth: safe
#include <cassert>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

int main() {
    std::vector<std::string> original = {"a", "b"};
    std::vector<std::string> copy = original;
    copy[0] = "changed";
    assert(original[0] == "a");
    std::vector<std::string> moved = std::move(original);
    assert(moved.size() == 2 && moved[1] == "b");
    assert(original.empty());
    std::cout << copy[0] << moved[0] << std::endl;
}
