// truth: safe
#include <cassert>
#include <iostream>
#include <stdexcept>
#include <vector>

int main() {
    std::vector<int> v = {1, 2, 3};
    bool caught = false;
    try {
        v.at(3) = 4;
    } catch (const std::out_of_range &error) {
        std::cerr << "out of range\n";
        caught = true;
    }
    assert(caught);
    assert(v.size() == 3 && v[2] == 3);
}
