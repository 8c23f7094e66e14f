/* Recursion, also mutual, with locals whose address escapes. */
#include "check.h"

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

/* Every frame has its own local, linked to those of its callers. */
struct link { struct link *up; unsigned value; };
static unsigned sum_of_frames(struct link *up, unsigned depth) {
    struct link here = {up, depth * depth};
    if (depth == 0) {
        unsigned sum = 0;
        for (struct link *l = &here; l; l = l->up) {
            sum = sum * 3 + l->value;
            l->value++;
        }
        return sum;
    }
    unsigned below = sum_of_frames(&here, depth - 1);
    return below * 5 + here.value;
}

static void fill(int *where, int depth) {
    int mine = depth;
    if (depth > 0) {
        fill(&mine, depth - 1);
        *where += mine;
    } else
        *where += 100;
}

static unsigned moves;
static void hanoi(int n, char from, char to, char other) {
    if (n == 0)
        return;
    hanoi(n - 1, from, other, to);
    moves = moves * 7 + (unsigned)from * 3 + (unsigned)to;
    hanoi(n - 1, other, to, from);
}

static int queens(int row, unsigned columns, unsigned left, unsigned right, int n) {
    if (row == n)
        return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, n);
    }
    return count;
}

static void permute(int *items, int k, int n, unsigned *hash) {
    if (k == n) {
        for (int i = 0; i < n; i++)
            *hash = *hash * 33 + (unsigned)items[i];
        return;
    }
    for (int i = k; i < n; i++) {
        int t = items[k];
        items[k] = items[i], items[i] = t;
        permute(items, k + 1, n, hash);
        items[i] = items[k], items[k] = t;
    }
}

int main(void) {
    unsigned n = input();
    result(ackermann(2, n % 5));
    result(fibonacci(n % 14));
    result((unsigned)is_even(n % 50));
    result(sum_of_frames(0, n % 12));
    int there = 5;
    fill(&there, (int)(n % 9));
    result((unsigned)there);
    hanoi((int)(n % 6), 'a', 'b', 'c');
    result(moves);
    result((unsigned)queens(0, 0, 0, 0, (int)(n % 4) + 3));
    int items[4] = {1, 2, 3, (int)n};
    unsigned hash = 0;
    permute(items, 0, 4, &hash);
    result(hash);
    return 0;
}
