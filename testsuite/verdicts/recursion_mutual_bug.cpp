// expect: value UNSAFE, value-full UNSAFE, summaries UNKNOWN, auto UNSAFE
// truth: unsafe
// flags: --max-recursion 40
// inputs: 23
// The state behind a reference makes one of two functions wrong once it has been called often enough.
#include <cassert>

extern "C" unsigned __VERIFIER_nondet_uint();

struct Counter {
    int calls = 0;
};

static bool is_odd(unsigned n, Counter &counter);

static bool is_even(unsigned n, Counter &counter)
{
    counter.calls++;
    return n == 0 ? counter.calls < 12 : is_odd(n - 1, counter);
}

static bool is_odd(unsigned n, Counter &counter)
{
    counter.calls++;
    return n == 0 ? false : is_even(n - 1, counter);
}

int main()
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 30)
        return 0;
    Counter counter;
    assert(is_odd(n, counter) == (n % 2 == 1));
    return 0;
}
