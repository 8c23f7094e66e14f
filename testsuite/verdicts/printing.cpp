// expect: value SAFE, value-full SAFE, bmc SAFE
// truth: safe
// Printing does not change what is printed.
#include <cassert>
#include <iostream>
#include <string>
int main() {
    std::string fruit = "Apple";
    int count = 3;
    std::cout << fruit << ": " << count << '\n';
    assert(fruit == "Apple");
    assert(count == 3);
}
