// truth: safe
#include <cassert>
#include <iostream>
#include <string>
#include <vector>

std::string join(const std::vector<std::string> &parts, const std::string &separator) {
    std::string all;
    for (std::size_t i = 0; i < parts.size(); i++) {
        if (i > 0) {
            all += separator;
        }
        all += parts[i];
    }
    return all;
}

int main() {
    std::vector<std::string> words = {"one", "two", "three"};
    std::string line = join(words, ", ");
    std::cout << line << std::endl;
    assert(line == "one, two, three");
}
