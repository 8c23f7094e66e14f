// expect: value SAFE, value-full SAFE
// truth: safe
// The truth value of an argument counts, whatever its type is: none of these is zero in its lowest bit alone.
static int cell;
int main(void) {
    assert(2);
    assert(0x100000000L);
    assert(0.5);
    assert(&cell);
    assert((char)64);
    clew_assert(6);
    __VERIFIER_assert(4);
    return 0;
}
