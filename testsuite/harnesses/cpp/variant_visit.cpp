// Visiting a variant sees the alternative that was put in.
#include <optional>
#include <string>
#include <variant>

#include "harness.h"

static std::optional<int> parse(unsigned char digit) {
    if (digit < '0' || digit > '9')
        return std::nullopt;
    return digit - '0';
}

int main() {
    unsigned char byte = __VERIFIER_nondet_uchar();
    std::variant<int, std::string> value;
    if (auto digit = parse(byte))
        value = *digit;
    else
        value = std::string(1, static_cast<char>(byte));
    int seen = std::visit([](const auto &held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, int>)
            return held;
        else
            return static_cast<int>(held.size()) + 10;
    }, value);
    claim(byte >= '0' && byte <= '9' ? seen == byte - '0' : seen == 11);
}
