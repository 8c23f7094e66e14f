// A text is its two halves, wherever it is cut.
#include <string>

#include "harness.h"

int main() {
    std::string text;
    for (int i = 0; i < 4; i++)
        text += static_cast<char>(__VERIFIER_nondet_uchar());
    unsigned cut = any_below(5);
    claim(text.substr(0, cut) + text.substr(cut) == text);
}
