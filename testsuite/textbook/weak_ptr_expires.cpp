// truth: safe
#include <cassert>
#include <memory>

int main() {
    std::weak_ptr<int> observer;
    {
        auto owner = std::make_shared<int>(3);
        observer = owner;
        assert(!observer.expired());
        if (auto locked = observer.lock()) {
            assert(*locked == 3);
        }
    }
    assert(observer.expired());
    assert(observer.lock() == nullptr);
}
