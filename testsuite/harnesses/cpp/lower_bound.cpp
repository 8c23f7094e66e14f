// lower_bound finds the first element that is not less.
#include <algorithm>
#include <array>

#include "harness.h"

int main() {
    std::array<int, 4> numbers;
    for (int &number : numbers)
        number = __VERIFIER_nondet_int();
    for (std::size_t i = 1; i < numbers.size(); i++)
        __VERIFIER_assume(numbers[i - 1] <= numbers[i]);
    int key = __VERIFIER_nondet_int();
    auto place = std::lower_bound(numbers.begin(), numbers.end(), key);
    claim(place == numbers.end() || *place >= key);
    claim(place == numbers.begin() || *(place - 1) < key);
}
