// expect: value UNKNOWN, value-full UNKNOWN, summaries SAFE, auto SAFE
// truth: safe
// flags: --max-recursion 20
// Two functions that call each other are summarised together.
#include <cassert>

extern "C" unsigned __VERIFIER_nondet_uint();

namespace parity {
bool is_odd(unsigned n);

bool is_even(unsigned n)
{
    return n == 0 ? true : is_odd(n - 1);
}

bool is_odd(unsigned n)
{
    return n == 0 ? false : is_even(n - 1);
}
}

int main()
{
    unsigned n = __VERIFIER_nondet_uint();
    assert(parity::is_even(n) == (n % 2 == 0));
    assert(parity::is_odd(n) != (n % 2 == 0));
    return 0;
}
