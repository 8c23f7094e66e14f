// truth: safe
#include <cassert>
#include <unordered_map>

int main() {
    std::unordered_map<int, int> counts;
    int data[] = {4, 4, 2, 9, 4};
    for (int x : data) {
        counts[x]++;
    }
    assert(counts.size() == 3);
    assert(counts[4] == 3);
    assert(counts.find(7) == counts.end());
}
