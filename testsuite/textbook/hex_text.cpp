// truth: unsafe
#include <cassert>
#include <iomanip>
#include <sstream>

int main() {
    std::ostringstream out;
    out << std::hex << std::setfill('0') << std::setw(4) << 255 << ' ' << 16;
    assert(out.str() == "00ff 16");
}
