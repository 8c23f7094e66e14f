// truth: unsafe
#include <cassert>
#include <iostream>
#include <sstream>
#include <string>

int main() {
    std::string line = "4 8 15 16 23 42";
    std::istringstream in(line);
    int number = 0, sum = 0, count = 0;
    while (in >> number) {
        sum += number;
        count++;
    }
    std::cout << "sum " << sum << " of " << count << '\n';
    assert(sum == 108);
    assert(count == 5);
}
