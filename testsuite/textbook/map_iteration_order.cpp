// truth: safe
#include <cassert>
#include <iostream>
#include <map>

int main() {
    std::map<int, char> letters = {{3, 'c'}, {1, 'a'}, {2, 'b'}};
    int previous = 0;
    for (const auto &entry : letters) {
        assert(entry.first > previous);
        previous = entry.first;
        std::cout << entry.second;
    }
    std::cout << std::endl;
    assert(previous == 3);
}
