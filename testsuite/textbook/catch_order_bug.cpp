// truth: unsafe
#include <cassert>
#include <iostream>
#include <stdexcept>

int classify(int n) {
    try {
        if (n < 0) {
            throw std::range_error("negative");
        }
        if (n > 100) {
            throw std::length_error("long");
        }
        return 0;
    } catch (const std::runtime_error &) {
        return 1;
    } catch (const std::exception &) {
        return 2;
    }
}

int main() {
    std::cout << classify(5) << classify(-1) << classify(200) << std::endl;
    assert(classify(-1) == 1);
    assert(classify(200) == 1);
}
