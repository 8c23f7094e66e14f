// truth: safe
#include <cassert>
#include <optional>

int main() {
    std::optional<int> nothing;
    bool caught = false;
    try {
        (void)nothing.value();
    } catch (const std::bad_optional_access &) {
        caught = true;
    }
    assert(caught);
    nothing = 4;
    assert(nothing.value() == 4);
    nothing.reset();
    assert(!nothing);
}
