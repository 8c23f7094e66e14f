// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// inputs: 4
// A slice that leaves its object is a violation.
unsigned nondet_uint();
int main(void) {
    unsigned char bytes[4] = {1, 2, 3, 4};
    unsigned count = nondet_uint();
    __CPROVER_assume(count <= 4);
    __CPROVER_havoc_slice(bytes + 1, count);
    return 0;
}
