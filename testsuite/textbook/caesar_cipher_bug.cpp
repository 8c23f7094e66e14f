// truth: unsafe
#include <cassert>
#include <string>

std::string shift(std::string text, int by) {
    for (char &c : text) {
        if (c >= 'a' && c < 'z') {
            c = static_cast<char>('a' + (c - 'a' + by + 26) % 26);
        }
    }
    return text;
}

int main() {
    std::string secret = shift("crazy", 1);
    assert(secret == "dsbaz");
}
