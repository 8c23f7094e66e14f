// truth: safe
#include <cassert>
#include <iomanip>
#include <iostream>

int main() {
    int value = 255;
    bool flag = true;
    std::cout << std::hex << std::showbase << value << ' ' << std::oct << value << std::dec << '\n';
    std::cout << std::boolalpha << flag << std::noboolalpha << flag << std::endl;
    std::cout << std::uppercase << std::scientific << 1234.5 << std::defaultfloat << '\n';
    assert(value == 255 && flag);
}
