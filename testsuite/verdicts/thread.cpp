// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// A second thread changes a variable.
#include <cassert>
#include <thread>
static int hit;
int main() {
    std::thread other([] { hit = 1; });
    other.join();
    assert(hit == 0);
}
