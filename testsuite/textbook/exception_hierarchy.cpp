// truth: safe
#include <cassert>
#include <iostream>
#include <stdexcept>
#include <string>

int parse_digit(char c) {
    if (c < '0' || c > '9') {
        throw std::invalid_argument("not a digit");
    }
    return c - '0';
}

int main() {
    assert(parse_digit('7') == 7);
    std::string message;
    try {
        parse_digit('x');
        assert(false);
    } catch (const std::logic_error &error) {
        message = error.what();
        std::cerr << "error: " << error.what() << std::endl;
    }
    assert(message == "not a digit");
}
