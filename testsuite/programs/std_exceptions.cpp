// Standard exceptions: thrown by the program and by the library, caught by class and by base, and what they say.
#include "check.h"
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Failure : std::runtime_error {
    int code;
    explicit Failure(int code) : std::runtime_error("failure"), code(code) {}
};

struct Quiet : std::exception {};

static bool says(const std::exception &e, const char *text) { return std::strcmp(e.what(), text) == 0; }

static int fail(int depth) {
    if (depth == 0) throw Failure(42);
    return fail(depth - 1);
}

static int derived() {
    try {
        fail(2);
    } catch (const std::logic_error &) {
        return 1;
    } catch (const std::exception &e) {
        const Failure &failure = static_cast<const Failure &>(e);
        return failure.code == 42 && says(e, "failure") ? 0 : 2;
    }
    return 3;
}

static int texts() {
    char buffer[] = "temporary";
    try {
        std::domain_error first(buffer);
        buffer[0] = 'x';
        std::domain_error copy(first);
        copy = first;
        throw copy;
    } catch (std::logic_error &e) {
        if (!says(e, "temporary")) return 1;
    }
    try {
        throw std::overflow_error(std::string("a text that is longer than a short string"));
    } catch (std::runtime_error &e) {
        if (!says(e, "a text that is longer than a short string")) return 2;
    }
    try {
        throw Quiet();
    } catch (std::exception &e) {
        return says(e, "std::exception") ? 0 : 3;
    }
}

static int from_containers() {
    int caught = 0;
    std::vector<int> numbers{1, 2};
    try {
        numbers.at(2) = 3;
    } catch (std::out_of_range &e) {
        caught += says(e, "vector::_M_range_check: __n (which is 2) >= this->size() (which is 2)");
    }
    std::map<int, int> pairs{{1, 10}};
    try {
        pairs.at(10)++;
    } catch (std::logic_error &e) {
        caught += says(e, "map::at");
    }
    std::string word = "word";
    try {
        word.at(17) = 'k';
    } catch (std::exception &e) {
        caught += std::strlen(e.what()) > 20;
    }
    std::array<int, 3> three{};
    std::size_t index = three.size();
    try {
        three.at(index) = 1;
    } catch (std::out_of_range &) {
        caught++;
    }
    try {
        word.substr(120);
    } catch (std::out_of_range &e) {
        caught += says(e, "basic_string::substr: __pos (which is 120) > this->size() (which is 4)");
    }
    return caught == 5 ? 0 : 1;
}

static int from_library() {
    std::function<int(int)> none;
    try {
        return none(1);
    } catch (std::bad_function_call &e) {
        if (!says(e, "bad_function_call")) return 1;
    }
    try {
        throw std::bad_alloc();
    } catch (const std::exception &e) {
        if (!says(e, "std::bad_alloc")) return 2;
    }
    try {
        std::weak_ptr<int> dead;
        std::shared_ptr<int> alive(dead);
        return 3;
    } catch (std::bad_weak_ptr &) {
    }
    return 0;
}

static int checks() {
    if (derived() != 0) return 1;
    if (texts() != 0) return 2;
    if (from_containers() != 0) return 3;
    if (from_library() != 0) return 4;
    return 0;
}

int main() {
    result(checks());
    return 0;
}
