// truth: safe
#include <cassert>
#include <fstream>
#include <iostream>
#include <string>

int main() {
    std::ifstream in("settings.txt");
    if (!in) {
        std::cerr << "cannot open settings.txt\n";
        return 1;
    }
    int lines = 0;
    std::string line;
    while (lines < 3 && std::getline(in, line)) {
        lines++;
    }
    std::cout << lines << " lines" << std::endl;
    assert(lines >= 0 && lines <= 3);
}
