// {fmt} writes a byte as at most three digits, which have its value.
#define FMT_HEADER_ONLY
#include "fmtlib/include/fmt/format.h"
#include "harness.h"

int main() {
    unsigned number = __VERIFIER_nondet_uchar();
    fmt::format_int text(number);
    claim(text.size() >= 1 && text.size() <= 3);
    unsigned again = 0;
    for (std::size_t i = 0; i < text.size(); i++)
        again = again * 10 + (text.data()[i] - '0');
    claim(again == number);
}
