// truth: unsafe
#include <cassert>
#include <cstring>
#include <iostream>

class Name {
public:
    explicit Name(const char *text) : data(new char[std::strlen(text) + 1]) { std::strcpy(data, text); }
    void upper() {
        if (data[0] >= 'a' && data[0] <= 'z') {
            data[0] = static_cast<char>(data[0] - 'a' + 'A');
        }
    }
    const char *text() const { return data; }

private:
    char *data;
};

int main() {
    Name first("ann");
    Name second = first;
    second.upper();
    std::cout << first.text() << ' ' << second.text() << '\n';
    assert(first.text()[0] == 'a');
}
