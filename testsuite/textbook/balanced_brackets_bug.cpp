// truth: unsafe
#include <cassert>
#include <stack>
#include <string>

bool balanced(const std::string &text) {
    std::stack<char> open;
    for (char c : text) {
        if (c == '(') {
            open.push(c);
        } else if (c == ')') {
            if (open.empty()) {
                return false;
            }
            open.pop();
        }
    }
    return true;
}

int main() {
    assert(balanced("(())"));
    assert(!balanced("())"));
    assert(!balanced("(()"));
}
