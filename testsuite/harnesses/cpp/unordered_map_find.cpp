// What was put into an unordered map is found there.
#include <unordered_map>

#include "harness.h"

int main() {
    std::unordered_map<unsigned, int> map;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    map[a] = 1;
    map[b] = 2;
    claim(map.at(b) == 2);
    claim(map.size() == (a == b ? 1u : 2u));
    claim(map.at(a) == (a == b ? 2 : 1));
}
