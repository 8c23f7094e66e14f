// truth: safe
#include <cassert>
#include <iomanip>
#include <sstream>

int main() {
    std::ostringstream out;
    out << std::fixed << std::setprecision(2) << 3.14159 << ' ' << 2.5;
    assert(out.str() == "3.14 2.50");
}
