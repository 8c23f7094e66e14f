// std::sort sorts three unknown numbers.
#include <algorithm>
#include <vector>

#include "harness.h"

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 3; i++)
        numbers.push_back(__VERIFIER_nondet_int());
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 1; i < numbers.size(); i++)
        claim(numbers[i - 1] <= numbers[i]);
}
