// expect: value UNKNOWN, value-full UNKNOWN, k-induction SAFE
// truth: safe
// Two counters that move in opposite directions keep their sum; it is at least what the first loop has counted.
#include <clew.h>

int main(void) {
    int total = clew_any_int();
    clew_assume(total >= -1000 && total < 1000);
    int left = 0, right = 0;
    while (left < total)
        left++;
    while (right < total) {
        clew_assert(left > 0);
        right++;
        left--;
    }
    return 0;
}
