/* Runs a harness natively on many inputs, to tell whether its assertions hold.
 *
 * The harness is compiled apart, and its `main` renamed to `harness_main`.
 *     native SECONDS [BYTE,BYTE,...]
 * With bytes, there is one run on these. Without, inputs are enumerated: the last byte that a run read counts up, and
 * is dropped at 255. If that takes longer than half of the time, the rest goes to random inputs.
 *
 * Prints `holds, exhaustive`, `holds, N runs` or `fails: BYTE,BYTE,...`; exits with 0, 0 and 10.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int harness_main(void);

enum { MOST = 4096 };

static unsigned char input[MOST];
static size_t given, used;
static int at_random;
static uint64_t state = 88172645463325252u;
static jmp_buf out;

enum { ASSUMPTION = 1, VIOLATION = 2, TOO_MUCH = 3 };

static uint64_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Text, digits, punctuation of parsers and small numbers are more likely than other bytes. */
static unsigned char random_byte(void) {
    static const char common[] = "0123456789abcdefxABCDEF{}[]\"',:;./\\ \t\r\n-+=%<>&?#@*()";
    uint64_t bits = random_bits();
    switch (bits & 7) {
    case 0: case 1: case 2: return (unsigned char)(bits >> 8);
    case 3: return (unsigned char)((bits >> 8) & 7);
    case 4: return (unsigned char)(0x78 + ((bits >> 8) & 15));
    default: return (unsigned char)common[(bits >> 8) % (sizeof common - 1)];
    }
}

unsigned char __VERIFIER_nondet_uchar(void) {
    if (used == MOST)
        longjmp(out, TOO_MUCH);
    if (used == given)
        input[given++] = at_random ? random_byte() : 0;
    return input[used++];
}

static uint64_t draw(size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)__VERIFIER_nondet_uchar() << (8 * i);
    return value;
}

unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)draw(2); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)draw(4); }
int __VERIFIER_nondet_int(void) { return (int)(unsigned)draw(4); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)draw(8); }

void __VERIFIER_assume(int condition) {
    if (!condition)
        longjmp(out, ASSUMPTION);
}

void __assert_fail(const char *claim, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s:%u: %s: %s\n", file, line, function, claim);
    longjmp(out, VIOLATION);
}

static int run(void) {
    used = 0;
    int end = setjmp(out);
    if (end == 0)
        harness_main();
    return end;
}

static int fails(void) {
    printf("fails: ");
    for (size_t i = 0; i < used; i++)
        printf("%s%u", i ? "," : "", input[i]);
    printf("\n");
    return 10;
}

int main(int count, char **arguments) {
    double seconds = count > 1 ? atof(arguments[1]) : 5;
    if (count > 2) {
        for (char *next = arguments[2]; *next; next += *next == ',')
            input[given++] = (unsigned char)strtoul(next, &next, 0);
        if (run() == VIOLATION)
            return fails();
        printf("holds, 1 run\n");
        return 0;
    }
    clock_t start = clock(), half = (clock_t)(seconds / 2 * CLOCKS_PER_SEC);
    unsigned long runs = 0;
    while (clock() - start < half) {
        for (int i = 0; i < 64; i++) {
            int end = run();
            runs++;
            if (end == VIOLATION)
                return fails();
            if (end == TOO_MUCH) {
                printf("a run reads more than %d bytes\n", MOST);
                return 1;
            }
            given = used;
            while (given > 0 && input[given - 1] == 255)
                given--;
            if (given == 0) {
                printf("holds, exhaustive\n");
                return 0;
            }
            input[given - 1]++;
        }
    }
    at_random = 1;
    while (clock() - start < 2 * half) {
        for (int i = 0; i < 64; i++) {
            given = 0;
            runs++;
            if (run() == VIOLATION)
                return fails();
        }
    }
    printf("holds, %lu runs\n", runs);
    return 0;
}
