// truth: unsafe
#include <cassert>
#include <iostream>
#include <set>
#include <string>

int main() {
    std::set<std::string> guests;
    guests.insert("Ann");
    guests.insert("Bob");
    guests.insert("Ann");
    std::cout << guests.size() << " guests\n";
    assert(guests.size() == 3);
}
