// truth: safe
#include <cassert>
#include <iostream>
#include <string>

int main() {
    std::string name = "Apple";
    std::cout << "Hello, " << name << "!" << std::endl;
    assert(name == "Apple");
    assert(name.size() == 5);
}
