// truth: safe
#include <cassert>
#include <iostream>
#include <sstream>

class Fraction {
public:
    Fraction(int n, int d) : num(n), den(d) {}
    Fraction operator+(const Fraction &o) const { return Fraction(num * o.den + o.num * den, den * o.den); }
    bool operator==(const Fraction &o) const { return num * o.den == o.num * den; }
    friend std::ostream &operator<<(std::ostream &out, const Fraction &f) { return out << f.num << '/' << f.den; }

private:
    int num, den;
};

int main() {
    Fraction sum = Fraction(1, 2) + Fraction(1, 3);
    std::cout << sum << std::endl;
    assert(sum == Fraction(10, 12));
    std::ostringstream text;
    text << sum;
    assert(text.str() == "5/6");
}
