// truth: unsafe
#include <cassert>
#include <iostream>

void exchange_values(int a, int b) {
    int old = a;
    a = b;
    b = old;
}

int main() {
    int x = 1, y = 2;
    exchange_values(x, y);
    std::cout << x << ' ' << y << '\n';
    assert(x == 2 && y == 1);
}
