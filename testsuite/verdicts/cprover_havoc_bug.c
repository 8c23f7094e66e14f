// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 5
// After havoc_slice, the bytes in the slice have any values; those beside keep theirs.
int nondet_int();
int main(void) {
    unsigned char bytes[4] = {1, 2, 3, 4};
    int x = nondet_int();
    __CPROVER_havoc_slice(bytes + 1, 2);
    __CPROVER_assert(bytes[0] == 1 && bytes[3] == 4, "what is beside");
    __CPROVER_assert(bytes[1] == 2 && x != 5, "what is in the slice");
    return 0;
}
