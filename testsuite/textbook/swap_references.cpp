// truth: safe
#include <cassert>
#include <string>
#include <utility>

void exchange_values(int &a, int &b) {
    int old = a;
    a = b;
    b = old;
}

int main() {
    int x = 1, y = 2;
    exchange_values(x, y);
    assert(x == 2 && y == 1);
    std::string s = "first", t = "second";
    std::swap(s, t);
    assert(s == "second" && t == "first");
}
