// truth: unsafe
#include <cassert>
#include <string>

int digits(int n) { return static_cast<int>(std::to_string(n).size()); }

int main() {
    assert(digits(5) == 1);
    assert(digits(12345) == 5);
    assert(digits(-7) == 1);
}
