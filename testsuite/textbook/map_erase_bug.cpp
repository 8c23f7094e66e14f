// truth: unsafe
#include <cassert>
#include <map>

int main() {
    std::map<int, int> stock = {{1, 10}, {2, 0}, {3, 7}};
    stock.erase(4);
    stock.erase(2);
    assert(stock.count(2) == 0);
    assert(stock.size() == 1);
}
