// truth: safe
#include <cassert>
#include <iostream>
#include <string>
#include <variant>

int main() {
    std::variant<int, std::string> v = 42;
    assert(std::holds_alternative<int>(v));
    assert(std::get<int>(v) == 42);
    v = std::string("text");
    assert(v.index() == 1);
    assert(std::get_if<int>(&v) == nullptr);
    std::cout << std::get<std::string>(v) << std::endl;
    assert(std::get<std::string>(v).size() == 4);
}
