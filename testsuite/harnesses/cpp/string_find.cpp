// What find says is where the character is, and it is not before.
#include <string>

#include "harness.h"

int main() {
    std::string text;
    for (int i = 0; i < 4; i++)
        text.push_back(static_cast<char>(__VERIFIER_nondet_uchar()));
    std::size_t place = text.find('/');
    if (place == std::string::npos)
        claim(text[0] != '/' && text[3] != '/');
    else
        claim(place < 4 && text[place] == '/' && (place == 0 || text[0] != '/'));
}
