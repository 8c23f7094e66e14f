// Classes, references, strings and the containers of the library.
#include <cassert>
#include <memory>
#include <string>
#include <vector>

extern "C" int __VERIFIER_nondet_int();

enum class State : unsigned char { Idle, Busy = 7 };

struct Base {
    int id = 1;
    virtual ~Base() = default;
    virtual int area() const { return 0; }
};

struct Square : Base {
    int side;
    bool open = false;
    State state = State::Idle;
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
    void grow(int &by, State next) {
        side += by;
        by = 0;
        open = true;
        state = next;
    }
};

static int total(const std::vector<int> &values) {
    int sum = 0;
    for (int value : values) {
        sum += value;
    }
    return sum;
}

int main() {
    int n = __VERIFIER_nondet_int();
    if (n != 4) {
        return 0;
    }
    Square square(n);
    int by = 2;
    square.grow(by, State::Busy);
    const Base &base = square;
    int area = base.area();
    std::string name = "square";
    name += "s!";
    std::vector<int> values;
    values.push_back(area);
    values.push_back(n);
    auto unique = std::make_unique<Square>(n);
    unique->side = 9;
    int sum = total(values);
    assert(sum != 40 || name.size() != 8 || unique->side != 9);
    return 0;
}
