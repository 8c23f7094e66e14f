// std::vector, std::string and std::array, with algorithms.
#include "check.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

struct Item { std::string name; int weight; };

static unsigned hash(const std::string &s) {
    unsigned h = 1;
    for (char c : s)
        h = h * 31 + static_cast<unsigned char>(c);
    return h;
}

static std::vector<int> primes(int limit) {
    std::vector<bool> composite(static_cast<size_t>(limit));
    std::vector<int> found;
    for (int i = 2; i < limit; i++) {
        if (composite[static_cast<size_t>(i)])
            continue;
        found.push_back(i);
        for (int j = 2 * i; j < limit; j += i)
            composite[static_cast<size_t>(j)] = true;
    }
    return found;
}

int main() {
    unsigned n = input();
    std::vector<unsigned> v;
    for (unsigned i = 0; i < 9; i++)
        v.push_back(n * (i + 1) % 101);
    result(v.size()), result(v.front() + v.back() * 1000);
    std::sort(v.begin(), v.end());
    for (unsigned x : v)
        result(x);
    v.erase(std::unique(v.begin(), v.end()), v.end());
    v.insert(v.begin() + 1, 7);
    result(v.size()), result(std::accumulate(v.begin(), v.end(), 0u));
    v.resize(12, 5);
    result(std::count(v.begin(), v.end(), 5u)), result(*std::max_element(v.begin(), v.end()));
    std::vector<unsigned> other(v.rbegin(), v.rend());
    v.swap(other);
    result(v == other), result(v[3] + other[3] * 7);
    auto at = std::find(v.begin(), v.end(), 7u);
    result(static_cast<unsigned long long>(at - v.begin()));

    std::string s = "clew", t(n % 5 + 1, 'z');
    s += "-of-thread";
    s.insert(4, t).append("!");
    result(hash(s)), result(s.size()), result(s.find("of")), result(hash(s.substr(2, 6)));
    result(s < t), result(s == s + ""), result(hash(std::to_string(n))), result(s.compare(0, 4, "clew") == 0);
    std::string long_one;
    for (int i = 0; i < 30; i++)
        long_one.push_back(static_cast<char>('a' + (n + static_cast<unsigned>(i)) % 26));
    std::string copy = long_one, moved = std::move(long_one);
    std::reverse(copy.begin(), copy.end());
    result(hash(copy)), result(hash(moved));

    std::vector<Item> items = {{"stone", 5}, {"feather", 1}, {"a rather long name of a thing", 3}};
    items.push_back({t, static_cast<int>(n % 7)});
    std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.weight < b.weight; });
    for (const Item &item : items)
        result(hash(item.name));
    std::vector<std::vector<int>> grid(3, std::vector<int>(4, 2));
    grid[1][2] = static_cast<int>(n);
    grid.push_back({1, 2, 3});
    int sum = 0;
    for (auto &row : grid)
        for (int x : row)
            sum += x;
    result(static_cast<unsigned>(sum));
    auto found = primes(static_cast<int>(n % 60) + 3);
    result(found.size()), result(static_cast<unsigned>(found.back()));
    std::array<int, 4> a = {4, 3, 2, 1};
    std::sort(a.begin(), a.end());
    result(static_cast<unsigned>(a[0] * 10 + a.at(3)));
}
