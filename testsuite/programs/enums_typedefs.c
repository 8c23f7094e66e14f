/* Enumerations, typedefs, scopes, shadowing, qualifiers, const tables, static asserts, old-style definitions. */
#include "check.h"

enum colour { RED, GREEN = 5, BLUE, LAST = -2 };
typedef enum { OFF, ON } power;
typedef unsigned char byte;
typedef int matrix[2][2];
typedef struct list { struct list *tail; byte head; } list;
_Static_assert(sizeof(byte) == 1, "a byte has one byte");

static const char *const names[] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};
static const unsigned crc_table_seed = 0xEDB88320u;
static int shadow = 1;

static int outer(int shadow_depth) {
    int shadow = shadow_depth;
    {
        int shadow = shadow_depth * 2;
        shadow++;
        for (int shadow = 0; shadow < 3; shadow++)
            shadow_depth += shadow;
        shadow_depth += shadow;
    }
    return shadow + shadow_depth;
}

static unsigned crc(const byte *p, unsigned n) {
    unsigned c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ crc_table_seed : c >> 1;
    }
    return ~c;
}

static int old_style(a, b) int a; char b; { return a * b; }

static void rotate(matrix m) {
    int t = m[0][0];
    m[0][0] = m[1][0], m[1][0] = m[1][1], m[1][1] = m[0][1], m[0][1] = t;
}

static power toggled(power p) { return p == ON ? OFF : ON; }

int main(void) {
    unsigned n = input();
    enum colour c = n % 3 == 0 ? RED : n % 3 == 1 ? GREEN : BLUE;
    result((unsigned)names[c][1]), result((unsigned)(c + LAST)), result(sizeof(enum colour));
    result((unsigned)toggled((power)(n & 1)));
    result((unsigned)outer((int)(n & 0xFF))), result((unsigned)shadow);
    byte bytes[] = {1, 2, 3, (byte)n};
    result(crc(bytes, sizeof bytes));
    result((unsigned)old_style((int)n, 3));
    matrix m = {{1, 2}, {3, (int)n}};
    rotate(m);
    result((unsigned)(m[0][0] * 1000 + m[0][1] * 100 + m[1][0] * 10 + m[1][1]));
    list end = {0, 1}, begin = {&end, (byte)(n + 250)};
    result(begin.head + begin.tail->head);
    const int *const fixed = &shadow;
    register int r = *fixed;
    extern int defined_below;
    r += defined_below;
    result((unsigned)r), result(sizeof(int[n % 7 + 1])), result((unsigned)(__func__[0] + (int)sizeof __func__));
    int x = 5;
    x = x++ + 2, x += x - 1;
    result((unsigned)x), result((unsigned)-7 / 2), result((unsigned)(-7 / 2)), result((unsigned)(-7 % 3));
    return 0;
}
int defined_below = 41;
