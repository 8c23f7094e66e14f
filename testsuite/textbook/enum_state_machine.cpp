// truth: safe
#include <cassert>
#include <iostream>
#include <string>

enum class Light { red, green, yellow };

Light next(Light light) {
    switch (light) {
    case Light::red:
        return Light::green;
    case Light::green:
        return Light::yellow;
    case Light::yellow:
        return Light::red;
    }
    return Light::red;
}

std::string name(Light light) {
    return light == Light::red ? "red" : light == Light::green ? "green" : "yellow";
}

int main() {
    Light light = Light::red;
    for (int i = 0; i < 6; i++) {
        std::cout << name(light) << '\n';
        light = next(light);
    }
    assert(light == Light::red);
    assert(name(next(light)) == "green");
}
