// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Structures by value, through pointers, and inside of others.
#include <assert.h>
struct point {
    int x, y;
};
struct box {
    struct point low, high;
    const char *name;
};
static struct point moved(struct point p, int by) {
    p.x += by;
    p.y -= by;
    return p;
}
static void grow(struct box *box) { box->high.x = box->high.x + 2; }
int main(void) {
    struct box box = {{1, 2}, {3, 4}, "box"};
    struct box copy = box;
    grow(&box);
    box.low = moved(box.low, 10);
    assert(box.low.x == 11 && box.low.y == -8);
    assert(box.high.x == 5 && copy.high.x == 3);
    assert(copy.name == box.name);
    return 0;
}
