/* qsort and bsearch with callbacks, and sorts written by hand. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct record { char name[8]; short rank; double weight; };

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_name(const void *a, const void *b) {
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}
static int by_weight(const void *a, const void *b) {
    double x = ((const struct record *)a)->weight, y = ((const struct record *)b)->weight;
    return x < y ? -1 : x > y;
}
static int by_target(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void quicksort(int *items, int low, int high) {
    if (low >= high)
        return;
    int pivot = items[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (items[i] < pivot)
            i++;
        while (items[j] > pivot)
            j--;
        if (i <= j) {
            int t = items[i];
            items[i++] = items[j], items[j--] = t;
        }
    }
    quicksort(items, low, j);
    quicksort(items, i, high);
}

static void heap_sort(unsigned *a, unsigned n) {
    for (unsigned end = n, start = n / 2; end > 1;) {
        if (start > 0)
            start--;
        else {
            end--;
            unsigned t = a[end];
            a[end] = a[0], a[0] = t;
        }
        for (unsigned root = start, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && a[child] < a[child + 1])
                child++;
            if (a[root] >= a[child])
                break;
            unsigned t = a[root];
            a[root] = a[child], a[child] = t;
        }
    }
}

enum { COUNT = 9 };

int main(void) {
    int a[COUNT], b[COUNT];
    unsigned c[COUNT], seed = input();
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = b[i] = (int)(seed >> 8) - 0x800000;
        c[i] = seed;
    }
    qsort(a, COUNT, sizeof a[0], by_value);
    quicksort(b, 0, COUNT - 1);
    heap_sort(c, COUNT);
    result(memcmp(a, b, sizeof a) == 0);
    for (int i = 0; i < COUNT; i++)
        result((unsigned)a[i]), result(c[i]);
    int key = a[seed % COUNT];
    int *found = bsearch(&key, a, COUNT, sizeof a[0], by_value);
    result(found ? (unsigned long long)(found - a) : 99);
    key = 1 << 30;
    result(bsearch(&key, a, COUNT, sizeof a[0], by_value) == 0);

    struct record r[] = {{"delta", 4, 0.5}, {"alpha", 1, 2.5}, {"echo", 5, -1.5}, {"bravo", 2, 1.0}, {"charly", 3, 0.25}};
    r[seed % 5].weight += 1.125;
    qsort(r, 5, sizeof r[0], by_name);
    for (int i = 0; i < 5; i++)
        result((unsigned)r[i].rank);
    qsort(r, 5, sizeof r[0], by_weight);
    for (int i = 0; i < 5; i++)
        result((unsigned)r[i].name[0]);
    const char *words[] = {"pear", "apple", "fig", "banana"};
    qsort(words, 4, sizeof words[0], by_target);
    for (int i = 0; i < 4; i++)
        result((unsigned)words[i][0]);
    return 0;
}
