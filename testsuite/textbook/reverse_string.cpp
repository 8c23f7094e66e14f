// truth: safe
#include <algorithm>
#include <cassert>
#include <iostream>
#include <string>

int main() {
    std::string word = "stressed";
    std::reverse(word.begin(), word.end());
    std::cout << word << '\n';
    assert(word == "desserts");
}
