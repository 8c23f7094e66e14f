// truth: safe
#include <cassert>
#include <iostream>
#include <string>

int main() {
    std::string path = "/usr/local/bin/clang";
    std::size_t slash = path.rfind('/');
    assert(slash != std::string::npos);
    std::string file = path.substr(slash + 1);
    std::cout << file << '\n';
    assert(file == "clang");
    assert(path.find("local") == 5);
    assert(path.find("lib") == std::string::npos);
}
