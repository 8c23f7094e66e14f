// truth: unsafe
#include <cassert>
#include <iostream>
#include <string>

int vowels(const std::string &text) {
    int count = 0;
    for (char c : text) {
        switch (c) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
            count++;
        }
    }
    return count;
}

int main() {
    std::string text = "education";
    int n = vowels(text);
    std::cout << text << " has " << n << " vowels\n";
    assert(n == 5);
}
