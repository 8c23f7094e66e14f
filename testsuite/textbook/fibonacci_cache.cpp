// truth: safe
#include <cassert>
#include <iostream>
#include <map>

std::map<int, long> cache;

long fibonacci(int n) {
    if (n < 2) {
        return n;
    }
    auto found = cache.find(n);
    if (found != cache.end()) {
        return found->second;
    }
    long value = fibonacci(n - 1) + fibonacci(n - 2);
    cache[n] = value;
    return value;
}

int main() {
    std::cout << fibonacci(15) << '\n';
    assert(fibonacci(15) == 610);
    assert(cache.size() == 14);
}
