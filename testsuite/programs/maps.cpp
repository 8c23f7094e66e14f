// std::map, std::set, std::function, std::unique_ptr, std::shared_ptr, std::optional and friends.
#include "check.h"
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

struct Node {
    int value;
    std::unique_ptr<Node> next;
    static int alive;
    explicit Node(int value) : value(value) { alive++; }
    ~Node() { alive--; }
};
int Node::alive;

static std::function<int(int)> adder(int k) { return [k](int x) { return x + k; }; }
static std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional<int>(n / 2); }

int main() {
    unsigned n = input();
    std::map<int, unsigned> counts;
    for (unsigned i = 0; i < 12; i++)
        counts[static_cast<int>(n * i % 7)]++;
    for (auto &[key, count] : counts)
        result(static_cast<unsigned>(key) * 100 + count);
    result(counts.count(3)), result(counts.find(99) == counts.end()), result(counts.size());
    counts.erase(0);
    result(counts.begin()->second);
    std::map<std::string, int> ages = {{"ann", 3}, {"bob", 5}};
    ages["cid"] = static_cast<int>(n & 0xFF), ages["ann"]++;
    int sum = 0;
    for (auto &entry : ages)
        sum = sum * 7 + entry.second + entry.first[1];
    result(static_cast<unsigned>(sum)), result(ages.lower_bound("b")->second == 5);
    std::set<unsigned> seen;
    unsigned x = n % 50;
    while (seen.insert(x).second)
        x = (x * x + 3) % 50;
    result(seen.size()), result(*seen.begin());

    std::function<int(int)> f = adder(5), g;
    result(static_cast<unsigned>(f(static_cast<int>(n & 0xFFFF)))), result(g ? 1 : 0);
    g = [&](int y) { return f(f(y)); };
    f = adder(1);
    result(static_cast<unsigned>(g(10)));

    std::unique_ptr<Node> head;
    for (int i = 0; i < 5; i++) {
        auto node = std::make_unique<Node>(i);
        node->next = std::move(head), head = std::move(node);
    }
    result(static_cast<unsigned>(Node::alive)), result(static_cast<unsigned>(head->next->value));
    head.reset();
    result(static_cast<unsigned>(Node::alive));
    auto shared = std::make_shared<Node>(static_cast<int>(n));
    {
        std::shared_ptr<Node> again = shared;
        std::weak_ptr<Node> weak = again;
        again->value++;
        result(static_cast<unsigned long long>(shared.use_count())), result(weak.lock() == shared);
    }
    result(static_cast<unsigned>(shared->value)), result(static_cast<unsigned long long>(shared.use_count()));
    result(static_cast<unsigned>(half(static_cast<int>(n & 0xFF)).value_or(-1)));
    auto [a, b, c] = std::make_tuple(1, 'b', n * 0.5);
    result_double(a + b + c);
    std::list<int> list = {3, 1, 2};
    list.push_front(static_cast<int>(n % 4));
    list.sort();
    unsigned order = 0;
    for (int y : list)
        order = order * 10 + static_cast<unsigned>(y);
    result(order);
}
