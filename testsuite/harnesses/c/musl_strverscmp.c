/* Comparing versions is antisymmetric. */
#include "harness.h"
#include "musl/src/string/strverscmp.c"

int main(void) {
    char a[3], b[3];
    any_text(a, 2);
    any_text(b, 2);
    int forth = strverscmp(a, b), back = strverscmp(b, a);
    claim((forth < 0) == (back > 0) && (forth == 0) == (back == 0));
}
