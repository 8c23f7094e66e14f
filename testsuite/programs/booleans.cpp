/* bool as a member, a reference, a capture, an element, and what comparison operators and exceptions make of it. */
#include "check.h"
#include <array>
#include <atomic>
#include <utility>

namespace {
class Gate {
  public:
    explicit Gate(bool open) : open_(open) {}
    bool open() const { return open_; }
    bool &state() { return open_; }
    Gate &flip() {
        open_ = !open_;
        return *this;
    }
    bool operator==(const Gate &other) const { return open_ == other.open_; }

  private:
    bool open_;
    mutable bool used_ = false;
};

bool ready;
std::atomic<bool> stop{false};

void set(bool &target, bool value) { target = value; }
template <class F> bool both(F f) { return f(true) && f(false); }
bool fails_if(bool condition) {
    bool reached = false;
    try {
        if (condition)
            throw condition;
        reached = true;
    } catch (bool thrown) {
        return thrown;
    }
    return !reached;
}
} // namespace

int main() {
    unsigned n = input();
    set(ready, n & 1);
    Gate a(ready), b(n > 15);
    result(a.open() + 2 * b.open() + 4 * (a == b) + 8 * a.flip().open());
    std::swap(a.state(), b.state());
    result(a.open() + 2 * b.open());
    bool any = false, all = true;
    for (unsigned i = 0; i < 5; i++) {
        bool bit = n >> i & 1;
        any |= bit;
        all &= bit;
    }
    result(any + 2 * all);
    result(both([&](bool x) { return x != any; }) + 2 * both([=](bool x) { return x || all; }));
    std::array<bool, 4> row{};
    row[n % 4] = !ready;
    unsigned packed = 0;
    for (bool element : row)
        packed = packed * 2 + element;
    result(packed);
    std::pair<bool, int> pair(any && !all, n & 3);
    auto [first, second] = pair;
    result(first * 100 + second);
    result(fails_if(ready) + 2 * fails_if(!ready));
    result(stop.exchange(ready) + 2 * stop.load());
    bool *heap = new bool(n & 2);
    *heap = !*heap;
    result(*heap);
    delete heap;
    return 0;
}
