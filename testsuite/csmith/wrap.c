/* Around a program of csmith, which ends by computing a checksum of all its global variables: natively the checksum is
 * printed; in Clew it is compared with an input. */
/* csmith counts this one to the generic builtins, but it needs more than the basic instruction set. */
#define __builtin_ia32_crc32qi(a, b) ((unsigned)(a) * 31u ^ (unsigned char)(b))
#define main csmith_main
#include PROGRAM
#undef main

#ifdef NATIVE
int main(void) {
    csmith_main();
    printf("0x%08x\n", (unsigned)(crc32_context ^ 0xFFFFFFFFUL));
    return 0;
}
#else
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    csmith_main();
    if ((unsigned)(crc32_context ^ 0xFFFFFFFFUL) != __VERIFIER_nondet_uint())
        reach_error();
    return 0;
}
#endif
