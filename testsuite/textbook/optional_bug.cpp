// truth: unsafe
#include <cassert>
#include <optional>
#include <string>

std::optional<std::string> find_user(int id) {
    if (id == 1) {
        return "root";
    }
    return {};
}

int main() {
    assert(find_user(1) == "root");
    std::optional<std::string> user = find_user(2);
    assert(user.has_value());
}
