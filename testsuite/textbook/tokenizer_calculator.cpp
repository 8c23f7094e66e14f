// truth: unsafe
#include <cassert>
#include <iostream>
#include <sstream>

int evaluate(const std::string &text) {
    std::istringstream in(text);
    int result = 0, operand = 0;
    char op = '+';
    in >> result;
    while (in >> op >> operand) {
        switch (op) {
        case '+':
            result += operand;
            break;
        case '-':
            result -= operand;
        case '*':
            result *= operand;
            break;
        }
    }
    return result;
}

int main() {
    std::cout << evaluate("2 + 3 * 4") << std::endl;
    assert(evaluate("2 + 3 * 4") == 20);
    assert(evaluate("10 - 7") == 3);
}
