// Rotating a deque to the left and to the right is nothing.
#include <deque>

#include "harness.h"

int main() {
    std::deque<unsigned char> bytes, before;
    for (int i = 0; i < 4; i++)
        bytes.push_back(__VERIFIER_nondet_uchar());
    before = bytes;
    unsigned count = any_below(4);
    for (unsigned i = 0; i < count; i++) {
        bytes.push_back(bytes.front());
        bytes.pop_front();
    }
    for (unsigned i = 0; i < count; i++) {
        bytes.push_front(bytes.back());
        bytes.pop_back();
    }
    claim(bytes == before);
}
