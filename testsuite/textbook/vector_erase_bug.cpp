// truth: unsafe
#include <cassert>
#include <vector>

void drop_negative(std::vector<int> &v) {
    for (std::size_t i = 0; i < v.size(); i++) {
        if (v[i] < 0) {
            v.erase(v.begin() + i);
        }
    }
}

int main() {
    std::vector<int> v = {1, -2, -3, 4};
    drop_negative(v);
    for (int x : v) {
        assert(x >= 0);
    }
}
