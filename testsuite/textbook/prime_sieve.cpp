// truth: unsafe
#include <cassert>
#include <iostream>
#include <vector>

std::vector<int> primes(int limit) {
    std::vector<bool> composite(limit + 1, false);
    std::vector<int> found;
    for (int i = 2; i <= limit; i++) {
        if (!composite[i]) {
            found.push_back(i);
            for (int j = i * i; j < limit; j += i) {
                composite[j] = true;
            }
        }
    }
    return found;
}

int main() {
    std::vector<int> list = primes(25);
    for (int p : list) {
        std::cout << p << ' ';
    }
    assert(list.back() == 23);
}
