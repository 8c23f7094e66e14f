// truth: safe
#include <cassert>
#include <stack>
#include <string>

bool balanced(const std::string &text) {
    std::stack<char> open;
    for (char c : text) {
        if (c == '(' || c == '[') {
            open.push(c);
        } else if (c == ')' || c == ']') {
            if (open.empty() || open.top() != (c == ')' ? '(' : '[')) {
                return false;
            }
            open.pop();
        }
    }
    return open.empty();
}

int main() {
    assert(balanced("(a[b]c)"));
    assert(!balanced("(a[b)c]"));
    assert(!balanced("(("));
}
