/* Inputs of the harnesses. A native driver (native.c), Clew and its peers each give these functions a meaning. */
#ifndef HARNESS_H
#define HARNESS_H

#undef NDEBUG
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned int __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int condition);

#ifdef __cplusplus
}
#endif

/* Fills `length` bytes with unknown values. */
static inline void any_bytes(void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        ((unsigned char *)bytes)[i] = __VERIFIER_nondet_uchar();
}

/* Fills a buffer of `length` + 1 with `length` unknown characters and a terminator; it may contain more terminators. */
static inline void any_text(char *text, size_t length) {
    any_bytes(text, length);
    text[length] = 0;
}

/* The property of a harness. A function, as libraries may redefine `assert` or switch it off. */
static inline void claim(int condition) {
    assert(condition);
}

/* An unknown value below `bound`, which is at most 256. */
static inline unsigned any_below(unsigned bound) {
    unsigned char value = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(value < bound);
    return value;
}

#endif
