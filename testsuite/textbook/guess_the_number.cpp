// truth: safe
#include <cassert>
#include <iostream>

int main() {
    const int secret = 42;
    int guess = 0, tries = 0;
    while (tries < 5 && std::cin >> guess) {
        tries++;
        if (guess == secret) {
            std::cout << "right after " << tries << " tries\n";
            break;
        }
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    assert(tries <= 5);
}
