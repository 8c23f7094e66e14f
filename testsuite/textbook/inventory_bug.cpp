// truth: unsafe
#include <cassert>
#include <iostream>
#include <map>
#include <string>

class Inventory {
public:
    void add(const std::string &item, int count) { stock[item] += count; }
    bool take(const std::string &item, int count) {
        auto found = stock.find(item);
        if (found == stock.end()) {
            return false;
        }
        found->second -= count;
        return true;
    }
    int count(const std::string &item) const {
        auto found = stock.find(item);
        return found == stock.end() ? 0 : found->second;
    }

private:
    std::map<std::string, int> stock;
};

int main() {
    Inventory inventory;
    inventory.add("bolts", 10);
    assert(inventory.take("bolts", 4));
    assert(!inventory.take("nuts", 1));
    inventory.take("bolts", 7);
    std::cout << inventory.count("bolts") << '\n';
    assert(inventory.count("bolts") >= 0);
}
