// truth: safe
#include <cassert>
#include <set>

int main() {
    std::set<int> primes = {7, 2, 5, 3, 2};
    assert(primes.size() == 4);
    assert(*primes.begin() == 2 && *primes.rbegin() == 7);
    auto result = primes.insert(5);
    assert(!result.second);
    primes.insert(11);
    assert(primes.count(11) == 1);
}
