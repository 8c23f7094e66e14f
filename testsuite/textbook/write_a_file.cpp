// truth: safe
#include <cassert>
#include <fstream>
#include <string>

int main() {
    std::string name = "report.txt";
    int written = 0;
    std::ofstream out(name);
    if (out) {
        out << "total: " << 42 << std::endl;
        written = 1;
    }
    assert(name == "report.txt");
    assert(written == 0 || out.is_open());
}
