/* Arrays of one and more dimensions, pointer arithmetic, pointers to pointers. */
#include "check.h"
#include <stddef.h>

enum { ROWS = 4, COLUMNS = 5 };
static int grid[ROWS][COLUMNS];
static short cube[3][4][2];
static const char *const words[] = {"alpha", "beta", "gamma", "delta"};
static int primes[50];

static int trace_of(int (*m)[COLUMNS], int rows) {
    int t = 0;
    for (int i = 0; i < rows && i < COLUMNS; i++)
        t += m[i][i];
    return t;
}

static void multiply(int n, int out[n][n], int a[n][n], int b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i][j] = 0;
            for (int k = 0; k < n; k++)
                out[i][j] += a[i][k] * b[k][j];
        }
}

static void swap(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

static void set_to(int ***p, int **q) { *p = q; }

static int sieve(int limit) {
    char composite[200] = {0};
    int count = 0;
    for (int i = 2; i < limit; i++) {
        if (composite[i])
            continue;
        primes[count++] = i;
        for (int j = i * i; j < limit; j += i)
            composite[j] = 1;
    }
    return count;
}

int main(void) {
    unsigned n = input();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = (int)(n >> (i + j)) + i * 10 + j;
    result((unsigned)trace_of(grid, ROWS));
    result((unsigned)grid[n % ROWS][n % COLUMNS]);
    int *flat = &grid[0][0];
    unsigned sum = 0;
    for (int *p = flat; p != flat + ROWS * COLUMNS; p += 3 < flat + ROWS * COLUMNS - p ? 3 : flat + ROWS * COLUMNS - p)
        sum = sum * 31 + (unsigned)*p;
    result(sum);
    int *last = &grid[3][4], *middle = grid[2] + 1;
    result((unsigned long long)(last - middle));
    result((unsigned long long)((char *)middle - (char *)last));
    result((last > middle) | (last == &middle[8]) << 1 | (&1[middle] < last) << 2);
    result((unsigned)*(last - (ptrdiff_t)(n % 10)));
    result((unsigned)last[-(int)(n % 10)]);

    for (unsigned i = 0; i < 24; i++)
        cube[i / 8][i / 2 % 4][i % 2] = (short)(n * i);
    result((unsigned)cube[2][n % 4][1]);
    short(*slice)[2] = cube[1];
    result((unsigned)(slice[3][0] + (*slice)[1] + sizeof *slice + sizeof cube));

    const char *word = words[n % 4];
    result((unsigned)(word[2] + *(word + 1) + (unsigned)"xyz"[n % 3]));

    int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, (int)n}}, b[3][3] = {[1] = {1, 0, 2}, [2][2] = 3}, c[3][3];
    multiply(3, c, a, b);
    multiply(3, b, c, a);
    for (int i = 0; i < 9; i++)
        result((unsigned)b[i / 3][i % 3]);

    int x = 1, y = 2;
    int *px = &x, *py = &y, **pp = &px, **qq = &py, **chosen;
    swap(pp, qq);
    set_to(&chosen, n & 1 ? &px : qq);
    **chosen += (int)n;
    **pp *= 3;
    result((unsigned)x), result((unsigned)y), result((unsigned)(*px + *py * 7));
    int *table[4] = {&x, &y, px, 0};
    int defined = 0;
    for (int **t = table; *t; t++)
        defined += **t;
    result((unsigned)defined);

    int limit = (int)(n % 180) + 10, count = sieve(limit);
    result((unsigned)count), result((unsigned)primes[count - 1]);
    return 0;
}
