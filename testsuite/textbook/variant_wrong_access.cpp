// truth: safe
#include <cassert>
#include <variant>

int main() {
    std::variant<int, double> v = 2.5;
    bool caught = false;
    try {
        int i = std::get<int>(v);
        (void)i;
    } catch (const std::bad_variant_access &) {
        caught = true;
    }
    assert(caught);
    int kind = std::visit([](auto x) { return sizeof(x) == sizeof(double) ? 2 : 1; }, v);
    assert(kind == 2);
}
