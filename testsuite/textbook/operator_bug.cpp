// truth: unsafe
#include <cassert>
#include <iostream>

struct Money {
    int euros, cents;
    Money operator+(const Money &other) const { return {euros + other.euros, cents + other.cents}; }
};

std::ostream &operator<<(std::ostream &out, const Money &m) {
    return out << m.euros << ',' << m.cents;
}

int main() {
    Money a{1, 75}, b{2, 50};
    Money sum = a + b;
    std::cout << sum << '\n';
    assert(sum.cents < 100);
}
