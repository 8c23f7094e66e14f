// False: equal elements are held once.
#include <set>

#include "harness.h"

int main() {
    std::set<unsigned char> set;
    for (int i = 0; i < 3; i++)
        set.insert(__VERIFIER_nondet_uchar());
    claim(set.size() == 3);
}
