// truth: safe
#include <cassert>
#include <iostream>
#include <stdexcept>

int open_files = 0;

class File {
public:
    File() { open_files++; }
    ~File() { open_files--; }
};

void work(bool fails) {
    File first, second;
    if (fails) {
        throw std::runtime_error("disk full");
    }
    std::cout << "worked\n";
}

int main() {
    work(false);
    try {
        work(true);
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
    }
    assert(open_files == 0);
}
