// truth: unsafe
#include <cassert>
#include <string>
#include <vector>

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, start)) {
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

int main() {
    std::vector<std::string> parts = split("red,green,blue", ',');
    assert(parts[0] == "red" && parts[1] == "green");
    assert(parts.size() == 3);
}
