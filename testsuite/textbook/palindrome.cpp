// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>

bool is_palindrome(const std::string &text) {
    std::size_t left = 0, right = text.size() - 1;
    while (left < right) {
        if (text[left] != text[right]) {
            return false;
        }
        left++;
        right--;
    }
    return true;
}

int main() {
    std::cout << std::boolalpha << is_palindrome("level") << ' ' << is_palindrome("levels") << '\n';
    assert(is_palindrome("level"));
    assert(is_palindrome("levels"));
}
