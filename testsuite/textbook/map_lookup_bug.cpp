// truth: unsafe
#include <cassert>
#include <iostream>
#include <map>
#include <string>

int main() {
    std::map<std::string, int> ages;
    ages["Ann"] = 30;
    ages["Bob"] = 25;
    if (ages["Cid"] == 0) {
        std::cout << "Cid is unknown\n";
    }
    assert(ages.size() == 2);
}
