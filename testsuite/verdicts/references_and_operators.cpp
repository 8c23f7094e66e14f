// expect: value SAFE, value-full SAFE, predicate SAFE
// truth: safe
// References, overloaded operators, copies and static members.
#include <cassert>
class Money {
  public:
    explicit Money(int cents) : cents(cents) { made++; }
    Money(const Money &other) : cents(other.cents) { made++; }
    Money operator+(const Money &other) const { return Money(cents + other.cents); }
    Money &operator+=(int more) {
        cents += more;
        return *this;
    }
    bool operator==(const Money &other) const { return cents == other.cents; }
    static int made;

  private:
    int cents;
};
int Money::made = 0;
static void double_it(Money &money) { money = money + money; }
int main() {
    Money a(5), b(7);
    Money c = a + b;
    double_it(c);
    (a += 10) += 9;
    assert(a == c);
    assert(Money::made == 4);
}
