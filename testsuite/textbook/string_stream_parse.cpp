// truth: safe
#include <cassert>
#include <sstream>
#include <string>

int main() {
    std::istringstream in("10 20 thirty");
    int a = 0, b = 0, c = 0;
    in >> a >> b;
    assert(a == 10 && b == 20);
    in >> c;
    assert(in.fail());
    assert(c == 0);
}
