// truth: unsafe
#include <cassert>
#include <sstream>
#include <string>

std::string describe(int year, int month, int day) {
    std::ostringstream out;
    out << year << '-' << month << '-';
    return out.str();
}

int main() {
    std::string date = describe(2024, 7, 4);
    assert(date == "2024-7-4");
    assert(date.length() == 8);
}
