// truth: unsafe
#include <cassert>
#include <iostream>

int main() {
    int counter = 0;
    auto increment = [counter]() mutable { return ++counter; };
    increment();
    increment();
    std::cout << counter << std::endl;
    assert(counter == 2);
}
