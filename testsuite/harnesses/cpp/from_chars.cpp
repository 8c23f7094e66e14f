// False: three characters can be a negative number.
#include <charconv>

#include "harness.h"

int main() {
    char text[3];
    any_bytes(text, sizeof text);
    int number = 0;
    auto [end, problem] = std::from_chars(text, text + 3, number);
    if (problem == std::errc() && end == text + 3)
        claim(number >= 0);
}
