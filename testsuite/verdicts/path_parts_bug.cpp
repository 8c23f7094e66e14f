// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// The name of a hidden file is no extension.
#include <cassert>
#include <filesystem>

int main() {
    std::filesystem::path p = "home/.profile";
    assert(p.stem() == ".profile");
    assert(p.extension() == ".profile");
}
