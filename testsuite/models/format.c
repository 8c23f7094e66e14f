/* stdio.h: formatting. */
#define _GNU_SOURCE
#include "harness.h"

#include <limits.h>

MODEL(snprintf); MODEL(sprintf); MODEL(asprintf); MODEL(fscanf); MODEL(printf);
bool __clew_prints_only(const char *);

static char got[256], expected[256];

#define SAME(room, format, ...)                                                                                        \
    do {                                                                                                               \
        memset(got, '#', sizeof got);                                                                                  \
        memset(expected, '#', sizeof expected);                                                                        \
        int a = model_snprintf(got, room, format, __VA_ARGS__), b = snprintf(expected, room, format, __VA_ARGS__);     \
        check(a == b && memcmp(got, expected, sizeof got) == 0, "snprintf(%zu, \"%s\"): %d \"%s\", not %d \"%s\"",      \
              (size_t)(room), format, a, (room) ? got : "", b, (room) ? expected : "");                                \
    } while (0)

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat"

static void check_format(const char *flags, const char *width, const char *precision) {
    static const long long numbers[] = {0, 1, -1, 9, 42, 255, -128, 32767, 65536, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN};
    static const char *const strings[] = {"", "a", "hello", "a longer text", NULL};
    static const char whole[] = "diuxXo";
    char format[64];
    for (const char *c = whole; *c != '\0'; c++) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            long long n = numbers[i];
#define WITH_LENGTH(length, type)                                                                                      \
    snprintf(format, sizeof format, "<%%%s%s%s" length "%c>", flags, width, precision, *c);                            \
    SAME(i % 3 == 2 ? 7 : sizeof got, format, (type)n)
            WITH_LENGTH("", int);
            WITH_LENGTH("h", int);
            WITH_LENGTH("hh", int);
            WITH_LENGTH("l", long);
            WITH_LENGTH("ll", long long);
            WITH_LENGTH("z", size_t);
            WITH_LENGTH("j", long long);
            WITH_LENGTH("t", ptrdiff_t);
        }
    }
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        snprintf(format, sizeof format, "%%%s%s%ss|", flags, width, precision);
        SAME(sizeof got, format, strings[i]);
        SAME(i, format, strings[i]);
    }
    snprintf(format, sizeof format, "%%%s%s%sc|", flags, width, precision);
    SAME(sizeof got, format, 'x');
    SAME(sizeof got, format, 0);
    snprintf(format, sizeof format, "%%%s%s%sp|", flags, width, precision);
    SAME(sizeof got, format, (void *)got);
    SAME(sizeof got, format, (void *)0);
}

static void scan_once(void) {
    int a = 1, b = 2;
    char c[8] = "#######";
    struct { signed char before, value, after; } byte = {'#', '#', '#'};
    trial_running = true;
    if (setjmp(trial) == 0) {
        int count = model_fscanf(stdin, "%d,%*d %2[^]a-z] %hhd%%%d%c", &a, c, &byte.value, &b, c + 7);
        check(-1 <= count && count <= 5, "fscanf gives %d", count);
        check(byte.before == '#' && byte.after == '#' && memcmp(c + 3, "####", 4) == 0, "fscanf stays within bounds");
        check(count != 0 || (a == 1 && b == 2 && c[0] == '#'), "fscanf writes only what it counts");
    }
    trial_running = false;
}

void test_formatting(void) {
    static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-0", "+ ", "#0", "-#", "+0", " 0", "-+"};
    static const char *const widths[] = {"", "1", "7", "25"};
    static const char *const precisions[] = {"", ".", ".0", ".1", ".5", ".12"};
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
                check_format(flags[f], widths[w], precisions[p]);
            }
        }
    }
    for (int w = -6; w <= 6; w++) {
        SAME(sizeof got, "%*d|%.*d|%*.*s", w, 42, w, 42, w, 7 - w, "text");
    }
    SAME(sizeof got, "%d%%%s%c%lld%s", 1, "two", '3', 4LL, "five");
    SAME(0, "%d", 12345);
    SAME(1, "%d", 12345);
    int n = -1, m = -1;
    SAME(sizeof got, "abc%nde%hhn", (n = -1, m = -1, &n), &m);
    check(n == 3, "%%n stores the count");
    check(model_sprintf(got, "%s-%d", "x", 7) == 3 && strcmp(got, "x-7") == 0, "sprintf");
    char *fresh = NULL;
    check(model_asprintf(&fresh, "%s-%d", "x", 7) == 3 && strcmp(fresh, "x-7") == 0, "asprintf");

    check(__clew_prints_only("plain") && __clew_prints_only("%d %5.2lf %%n %s n") && __clew_prints_only("%"), "no %%n");
    check(!__clew_prints_only("%n") && !__clew_prints_only("a%d%hhnb") && !__clew_prints_only("%-5.3lln"), "%%n");

    /* scanf may give anything, but only where the format says, and never more than it may count. */
    for (int round = 0; round < 20000; round++) {
        scan_once();
    }
}
