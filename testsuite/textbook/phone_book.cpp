// truth: safe
#include <cassert>
#include <map>
#include <string>

class PhoneBook {
public:
    void add(const std::string &name, int number) { entries[name] = number; }
    bool knows(const std::string &name) const { return entries.find(name) != entries.end(); }
    int number(const std::string &name) const { return entries.at(name); }
    std::size_t size() const { return entries.size(); }

private:
    std::map<std::string, int> entries;
};

int main() {
    PhoneBook book;
    book.add("Ann", 5551);
    book.add("Bob", 5552);
    book.add("Ann", 5553);
    assert(book.size() == 2);
    assert(book.knows("Bob") && !book.knows("Eve"));
    assert(book.number("Ann") == 5553);
}
