// truth: safe
#include <cassert>
#include <string>

std::string shift(std::string text, int by) {
    for (char &c : text) {
        if (c >= 'a' && c <= 'z') {
            c = static_cast<char>('a' + (c - 'a' + by + 26) % 26);
        }
    }
    return text;
}

int main() {
    std::string secret = shift("attack at dawn", 3);
    assert(secret == "dwwdfn dw gdzq");
    assert(shift(secret, -3) == "attack at dawn");
}
