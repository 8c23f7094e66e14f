// truth: unsafe
#include <cassert>
#include <memory>

int main() {
    auto a = std::make_unique<int>(5);
    auto b = std::move(a);
    *b += 1;
    assert(*b == 6);
    assert(a != nullptr);
}
