/* What the programs of this folder share: inputs, and results that have to be the same natively and in Clew.
 *
 * Compiled with -DNATIVE, a program draws its inputs from the seed in $CHECK_SEED and prints a trace: each input and
 * each result, in order. In Clew the same numbers are its inputs, and a result that differs is an error. The number
 * after the last result shows that the program came to its end, destructors included. */
#ifndef CHECK_H
#define CHECK_H

#define END_OF_TRACE 0xE0Dull

#ifdef __cplusplus
#define CHECK_EXTERN extern "C"
#else
#define CHECK_EXTERN extern
#endif

#ifdef NATIVE

#include <stdio.h>
#include <stdlib.h>

__attribute__((unused)) static unsigned input(void) {
    static unsigned long long state;
    static const unsigned corners[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFF, 0x80, 0xFFFF};
    if (state == 0)
        state = strtoull(getenv("CHECK_SEED"), 0, 10) * 2654435769u + 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    unsigned drawn = (unsigned)(state >> 16);
    /* Small numbers and corner cases come often. */
    switch (state & 7) {
    case 0: drawn = corners[drawn & 7]; break;
    case 1: case 2: case 3: drawn &= 31; break;
    }
    printf("0x%x\n", drawn);
    fflush(stdout);
    return drawn;
}

__attribute__((unused)) static void result(unsigned long long value) {
    printf("0x%llx\n", value);
    fflush(stdout);
}

#else

CHECK_EXTERN unsigned __VERIFIER_nondet_uint(void);
CHECK_EXTERN unsigned long long __VERIFIER_nondet_ulonglong(void);
CHECK_EXTERN void reach_error(void);

__attribute__((unused)) static unsigned input(void) { return __VERIFIER_nondet_uint(); }

__attribute__((unused)) static void result(unsigned long long value) {
    if (value != __VERIFIER_nondet_ulonglong())
        reach_error();
}

#endif

/* The bits of a number. Not for NaN, whose bits C leaves open. */
__attribute__((unused)) static void result_double(double value) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    result(bits);
}

/* Of all destructors this one runs last. */
__attribute__((destructor(101))) static void end_of_trace(void) { result(END_OF_TRACE); }

#endif
