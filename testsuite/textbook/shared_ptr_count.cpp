// truth: safe
#include <cassert>
#include <memory>
#include <vector>

int main() {
    auto shared = std::make_shared<int>(10);
    assert(shared.use_count() == 1);
    {
        std::vector<std::shared_ptr<int>> owners(3, shared);
        assert(shared.use_count() == 4);
        *owners[1] = 11;
    }
    assert(shared.use_count() == 1);
    assert(*shared == 11);
}
