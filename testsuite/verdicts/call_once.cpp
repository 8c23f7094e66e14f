// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// C++: what is called is hidden in variables of the library.
#include <cassert>
#include <mutex>
static int hit;
static std::once_flag flag;
int main() {
    std::call_once(flag, [] { hit = 1; });
    assert(hit == 0);
}
