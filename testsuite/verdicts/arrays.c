// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE
// truth: safe
// Sums over rows of a constant table, and a table that the program fills itself.
#include <assert.h>
static const int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
int main(void) {
    int sums[3];
    for (int i = 0; i < 3; i++) {
        sums[i] = 0;
        for (int j = 0; j < 4; j++)
            sums[i] += table[i][j];
    }
    assert(sums[0] == 10);
    assert(sums[2] - sums[1] == 16);
    return 0;
}
