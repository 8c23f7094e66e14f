// truth: unsafe
#include <cassert>
#include <vector>

int last_even(const std::vector<int> &numbers) {
    int found = -1;
    for (std::size_t i = 0; i < numbers.size() - 1; i++) {
        if (numbers[i] % 2 == 0) {
            found = numbers[i];
        }
    }
    return found;
}

int main() {
    std::vector<int> numbers = {3, 4, 7, 10};
    assert(last_even(numbers) == 10);
}
