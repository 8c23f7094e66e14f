// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE
// truth: unsafe
// The same with another text.
#include <cassert>
#include <iostream>
#include <string>
int main() {
    std::string fruit = "Apple";
    std::cout << fruit << '\n';
    fruit[0] = 'a';
    assert(fruit == "Apple");
}
