// expect: value SAFE, value-full SAFE
// truth: safe
// C++: what is called is hidden in variables of the library; what throws has not run.
#include <cassert>
#include <mutex>
static int tries, done;
static std::once_flag flag, other;
int main() {
    for (int i = 0; i < 3; ++i) {
        try {
            std::call_once(flag, [i](int step) {
                std::call_once(other, [] { done += 10; });
                tries += step;
                if (i == 0)
                    throw i;
                ++done;
            }, 1);
        } catch (int) {
        }
    }
    assert(tries == 2 && done == 11);
}
