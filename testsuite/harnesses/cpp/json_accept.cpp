// False: two characters can be a JSON text.
#include "nlohmann-json3/single_include/nlohmann/json.hpp"
#include "harness.h"

int main() {
    char text[2];
    any_bytes(text, sizeof text);
    claim(!nlohmann::json::accept(text, text + 2));
}
