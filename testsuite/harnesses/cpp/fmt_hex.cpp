// False: {fmt} writes letters for hexadecimal digits above nine.
#define FMT_HEADER_ONLY
#include "fmtlib/include/fmt/format.h"
#include "harness.h"

int main() {
    char text[8];
    char *end = fmt::format_to(text, "{:x}", static_cast<unsigned>(__VERIFIER_nondet_uchar()));
    for (char *place = text; place < end; place++)
        claim(*place <= '9');
}
