// expect: value SAFE, value-full SAFE
// truth: safe
// flags: --time-limit 30s
// The parts of a path, and paths put together.
#include <cassert>
#include <filesystem>

namespace fs = std::filesystem;

int main() {
    fs::path p = "/src/main.c";
    assert(p.filename() == "main.c" && p.extension() == ".c");
    assert(p.parent_path() == "/src" && p.is_absolute());
    fs::path q = fs::path("a") / "b";
    assert(q.string() == "a/b" && q == "a//b");
}
