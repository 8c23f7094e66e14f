// truth: unsafe
#include <cassert>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::istringstream line("Ann;30;;Berlin");
    std::vector<std::string> fields;
    std::string field;
    while (std::getline(line, field, ';')) {
        fields.push_back(field);
    }
    std::cout << fields.size() << " fields\n";
    assert(fields[0] == "Ann" && fields[3] == "Berlin");
    for (const std::string &f : fields) {
        assert(!f.empty());
    }
}
