// expect: value SAFE, value-full SAFE
// truth: safe
// Containers of the standard library.
#include <cassert>
#include <string>
#include <vector>
int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 3; i++)
        numbers.push_back(i * i);
    int sum = 0;
    for (int number : numbers)
        sum += number;
    assert(numbers.size() == 3 && sum == 5);
    std::string name = "clew";
    name += '!';
    assert(name.size() == 5 && name[4] == '!');
}
