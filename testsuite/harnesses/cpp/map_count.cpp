// The counts of the characters of a text add up to its length.
#include <map>

#include "harness.h"

int main() {
    std::map<unsigned char, int> counts;
    for (int i = 0; i < 3; i++)
        counts[__VERIFIER_nondet_uchar()]++;
    int sum = 0;
    for (const auto &[byte, count] : counts)
        sum += count;
    claim(sum == 3 && counts.size() <= 3);
}
