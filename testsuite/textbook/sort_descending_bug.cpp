// truth: unsafe
#include <algorithm>
#include <cassert>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> scores = {70, 95, 80};
    std::sort(scores.begin(), scores.end(), [](int a, int b) { return a < b; });
    std::cout << "best: " << scores[0] << std::endl;
    assert(scores[0] == 95);
}
