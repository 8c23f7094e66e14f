/* stdio.h: floating-point numbers in formats, and scanning of strings. */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>

MODEL(snprintf); MODEL(sscanf); MODEL(strtod); MODEL(strtof); MODEL(strerror);

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat"

#define SAME_REAL(format, number)                                                                                      \
    do {                                                                                                               \
        char got[512], expected[512];                                                                                  \
        int a = model_snprintf(got, sizeof got, format, number), b = snprintf(expected, sizeof expected, format, number); \
        check(a == b && strcmp(got, expected) == 0, "snprintf(\"%s\"): %d \"%s\", not %d \"%s\"", format, a, got, b,   \
              expected);                                                                                               \
    } while (0)

static void check_real(double x, long double y) {
    static const char *const flags[] = {"", "-", "0", "+", " ", "0+"};
    static const char *const precisions[] = {"", ".0", ".1", ".2", ".5", ".9", ".15", ".17", ".21"};
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
            for (const char *c = "feEgGF"; *c != '\0'; c++) {
                char format[32];
                const char *width = random_below(2) ? "" : "14";
                snprintf(format, sizeof format, "<%%%s%s%s%c>", flags[f], width, precisions[p], *c);
                SAME_REAL(format, x);
                snprintf(format, sizeof format, "<%%%s%s%sL%c>", flags[f], width, precisions[p], *c);
                SAME_REAL(format, y);
            }
        }
    }
}

static void test_reals(void) {
    static const double special[] = {0, 0.5, 1, 1.5, 2.5, 0.1, 0.125, 9.5, 99.5, 0.95, 9.95, 9.9999995, 99999.95,
                                     999999.5, 1e5, 1e6, 123456789, 1e15, 1e16, 1e18, 1e19, 1e22, 1e30, 1e-4, 1e-5,
                                     9.9999e-5, 0.00012345, 1e-10, 1e-15, 4294967296, INFINITY, NAN};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        check_real(special[i], special[i]);
        check_real(-special[i], -special[i] / 3);
    }
    for (int round = 0; round < 300; round++) {
        double x = ((double)random_bits() / 0x1p63 - 1) * pow(10, (int)random_below(40) - 12);
        check_real(random_below(3) == 0 ? rint(x * 1000) / 1000 : x, (long double)x / 7);
    }
    static const double tiny[] = {1e-30, 5e-324, -1e-100};
    for (int i = 0; i < 3; i++) {
        SAME_REAL("%f", tiny[i]);
        SAME_REAL("%.20f", tiny[i]);
    }
    SAME_REAL("%#.0f", 3.0);
    SAME_REAL("%#.3e", 3.0);
    SAME_REAL("%#g", 3.0);
}

#define SCANNED(text, format, ...)                                                                                     \
    do {                                                                                                               \
        clear();                                                                                                       \
        int a = model_sscanf(text, format, __VA_ARGS__);                                                               \
        memcpy(&kept, &targets, sizeof targets);                                                                       \
        clear();                                                                                                       \
        int b = sscanf(text, format, __VA_ARGS__);                                                                     \
        check(a == b && memcmp(&kept, &targets, sizeof targets) == 0, "sscanf(\"%s\", \"%s\"): %d, not %d", text,      \
              format, a, b);                                                                                           \
    } while (0)

static struct {
    int i, j, n;
    long long wide;
    short narrow;
    unsigned char byte;
    char word[32], other[32];
    float real;
    double precise;
} targets, kept;

static void clear(void) {
    memset(&targets, '#', sizeof targets);
}

static void test_scanning(void) {
    static const char *const texts[] = {"", " ", "12", " 12 34", "-5", "+7x", "0", "010", "0x1F", "ff", "abc", "12abc",
                                        "12,34", "12 , 34", "-", "+", "99999999999", "-99999999999",
                                        "99999999999999999999999", "-99999999999999999999999", "hello world",
                                        "key=value", "a-b]c", "3.5 x", "1.25e2", ".5", "-.5e-3,", "%5", "  x",
                                        "2024-07-04", "#ff00aa", "300", "70000"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const char *text = texts[t];
        SCANNED(text, "%d", &targets.i);
        SCANNED(text, "%d%d", &targets.i, &targets.j);
        SCANNED(text, "%d,%d%n", &targets.i, &targets.j, &targets.n);
        SCANNED(text, "%d , %d", &targets.i, &targets.j);
        SCANNED(text, "%*d %d", &targets.i);
        SCANNED(text, "%1d%2d", &targets.i, &targets.j);
        SCANNED(text, "%i", &targets.i);
        SCANNED(text, "%u%n", &targets.i, &targets.n);
        SCANNED(text, "%x", &targets.i);
        SCANNED(text, "%o", &targets.i);
        SCANNED(text, "%lld", &targets.wide);
        SCANNED(text, "%llu", &targets.wide);
        SCANNED(text, "%hd", &targets.narrow);
        SCANNED(text, "%hhu", &targets.byte);
        SCANNED(text, "%s %s", targets.word, targets.other);
        SCANNED(text, "%3s%s", targets.word, targets.other);
        SCANNED(text, "%c%c", &targets.word[0], &targets.word[1]);
        SCANNED(text, " %2c", targets.word);
        SCANNED(text, "%[a-z]=%[^\n]", targets.word, targets.other);
        SCANNED(text, "%[^]-]%n", targets.word, &targets.n);
        SCANNED(text, "%[]a-c-]", targets.word);
        SCANNED(text, "%d-%d-%d", &targets.i, &targets.j, &targets.n);
        SCANNED(text, "#%2x%2x", &targets.i, &targets.j);
        SCANNED(text, "%%%d", &targets.i);
        SCANNED(text, "%n%*s%n", &targets.i, &targets.n);
        if (strstr(text, "0x") == NULL && strlen(text) < 12) {
            SCANNED(text, "%lf", &targets.precise);
            SCANNED(text, "%f%c", &targets.real, &targets.word[0]);
        }
    }
    for (int round = 0; round < 2000; round++) {
        char text[64];
        long long a = (long long)(random_bits() >> random_below(64)), b = -(long long)(random_bits() >> (1 + random_below(63)));
        snprintf(text, sizeof text, "%lld %lld %llx", a, b, (unsigned long long)a);
        SCANNED(text, "%lld%lld%llx", &targets.wide, (long long *)targets.word, (long long *)targets.other);
        SCANNED(text, "%d %d %x", &targets.i, &targets.j, &targets.n);
        SCANNED(text, "%4d%3i%s", &targets.i, &targets.j, targets.word);
    }
}

static void test_long_numbers(void) {
    for (int round = 0; round < 20000; round++) {
        char text[64];
        uint64_t digits = random_bits() % 10000000000000000000u >> random_below(40);
        unsigned places = 1 + random_below(18);
        uint64_t power = 1;
        for (unsigned i = 0; i < places; i++) {
            power *= 10;
        }
        snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(digits / power), (int)places,
                 (unsigned long long)(digits % power));
        check(model_strtod(text, NULL) == strtod(text, NULL), "strtod(\"%s\")", text);
        check(model_strtof(text, NULL) == strtof(text, NULL), "strtof(\"%s\")", text);
    }
}

static void test_errors(void) {
    for (int i = -300; i < 5000; i++) {
        int number = i < 300 ? i : (int)random_bits();
        check(strcmp(model_strerror(number), strerror(number)) == 0, "strerror(%d): %s", number, model_strerror(number));
    }
}

void test_text(void) {
    test_errors();
    test_long_numbers();
    test_reals();
    test_scanning();
}
