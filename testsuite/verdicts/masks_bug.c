// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 0x1234
// Two bytes of an input are swapped; there is a number with which that gives 0x3412.
extern void reach_error(void);
unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
    unsigned short word = __VERIFIER_nondet_ushort();
    unsigned short swapped = (unsigned short)(word << 8 | word >> 8);
    if (swapped == 0x3412)
        reach_error();
    return 0;
}
