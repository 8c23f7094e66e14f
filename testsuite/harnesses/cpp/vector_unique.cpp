// Removing equal neighbours of a sorted vector leaves no two equal elements.
#include <algorithm>
#include <vector>

#include "harness.h"

int main() {
    std::vector<unsigned char> bytes(3);
    any_bytes(bytes.data(), bytes.size());
    std::sort(bytes.begin(), bytes.end());
    bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
    claim(!bytes.empty() && bytes.size() <= 3);
    for (std::size_t i = 1; i < bytes.size(); i++)
        claim(bytes[i - 1] < bytes[i]);
}
