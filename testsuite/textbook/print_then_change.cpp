// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>

int main() {
    std::string fruit = "Apple";
    std::cout << fruit << '\n';
    fruit[0] = 'a';
    std::cout << fruit << std::endl;
    assert(fruit == "Apple");
}
