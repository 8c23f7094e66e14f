// truth: safe
#include <cassert>
#include <iostream>
#include <map>
#include <string>

int main() {
    std::map<std::string, int> counts;
    const char *words[] = {"the", "cat", "the", "dog", "the"};
    for (const char *word : words) {
        counts[word]++;
    }
    for (const auto &entry : counts) {
        std::cout << entry.first << ": " << entry.second << '\n';
    }
    assert(counts.size() == 3);
    assert(counts["the"] == 3);
    assert(counts.begin()->first == "cat");
}
