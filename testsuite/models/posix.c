/* Wide characters, paths, options and trees. */
#define _GNU_SOURCE
#include "harness.h"

#include <search.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

extern char *__xpg_basename(char *);
extern char *dirname(char *);

MODEL(wcslen); MODEL(wcsnlen); MODEL(wcscpy); MODEL(wcsncpy); MODEL(wcscat); MODEL(wcscmp); MODEL(wcsncmp);
MODEL(wcschr); MODEL(wcsrchr); MODEL(wmemset); MODEL(wmemcpy); MODEL(wmemcmp); MODEL(wmemchr); MODEL(towupper);
MODEL(towlower); MODEL(iswupper); MODEL(iswlower); MODEL(iswalpha); MODEL(iswdigit); MODEL(iswalnum); MODEL(iswspace);
MODEL(iswblank); MODEL(iswpunct); MODEL(iswgraph); MODEL(iswprint); MODEL(iswcntrl); MODEL(iswxdigit);
MODEL(ffs); MODEL(ffsl); MODEL(ffsll); MODEL(basename); MODEL(__xpg_basename); MODEL(dirname);
MODEL(getopt); MODEL(optarg); MODEL(optind); MODEL(optopt); MODEL(tsearch); MODEL(tfind);

static void random_text(wchar_t *to, size_t room) {
    size_t length = random_below((unsigned)room);
    for (size_t i = 0; i < length; i++) {
        to[i] = L'a' + (wchar_t)random_below(3);
    }
    to[length] = 0;
}

static void test_wide(void) {
    for (wint_t c = 0; c < 128; c++) {
        check(model_towupper(c) == towupper(c) && model_towlower(c) == towlower(c), "case of %u", c);
#define SAME_CLASS(name) check(!model_##name(c) == !name(c), #name " of %u", c);
        SAME_CLASS(iswupper) SAME_CLASS(iswlower) SAME_CLASS(iswalpha) SAME_CLASS(iswdigit) SAME_CLASS(iswalnum)
        SAME_CLASS(iswspace) SAME_CLASS(iswblank) SAME_CLASS(iswpunct) SAME_CLASS(iswgraph) SAME_CLASS(iswprint)
        SAME_CLASS(iswcntrl) SAME_CLASS(iswxdigit)
    }
    check(model_towupper(WEOF) == WEOF && !model_iswalpha(WEOF), "WEOF");
    for (int round = 0; round < 5000; round++) {
        wchar_t a[8], b[8], got[20] = {0}, expected[20] = {0};
        random_text(a, 8);
        random_text(b, 8);
        size_t n = random_below(9);
        wchar_t c = L'a' + (wchar_t)random_below(4);
#define SIGN(x) (((x) > 0) - ((x) < 0))
        check(model_wcslen(a) == wcslen(a) && model_wcsnlen(a, n) == wcsnlen(a, n), "wcslen");
        check(SIGN(model_wcscmp(a, b)) == SIGN(wcscmp(a, b)), "wcscmp");
        check(SIGN(model_wcsncmp(a, b, n)) == SIGN(wcsncmp(a, b, n)), "wcsncmp");
        check(SIGN(model_wmemcmp(a, b, 1)) == SIGN(wmemcmp(a, b, 1)), "wmemcmp");
        check(model_wcschr(a, c) == wcschr(a, c) && model_wcsrchr(a, c) == wcsrchr(a, c), "wcschr");
        check(model_wcschr(a, 0) == wcschr(a, 0) && model_wmemchr(a, c, wcslen(a)) == wmemchr(a, c, wcslen(a)), "end");
        model_wcscat(model_wcscpy(got, a), b);
        wcscat(wcscpy(expected, a), b);
        check(memcmp(got, expected, sizeof got) == 0, "wcscat");
        check(model_wcsncpy(got, b, n) == got && wcsncpy(expected, b, n) && memcmp(got, expected, sizeof got) == 0, "wcsncpy");
        model_wmemset(got + 10, c, n);
        wmemset(expected + 10, c, n);
        check(memcmp(got, expected, sizeof got) == 0, "wmemset");
    }
}

static void test_paths(void) {
    static const char *const paths[] = {"", "/", "//", "///", "a", "a/", "a//", "/a", "//a", "///a", "a/b", "a//b", "/a/b",
                                        "/usr/lib/", "usr/lib//", ".", "..", "./a", "/a/b/c.txt", "//a/b", "a/b/"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char a[32], b[32];
        check(strcmp(model_basename(paths[i]), basename(paths[i])) == 0, "basename of %s", paths[i]);
        strcpy(a, paths[i]);
        strcpy(b, paths[i]);
        check(strcmp(model___xpg_basename(a), __xpg_basename(b)) == 0, "basename of libgen.h of %s", paths[i]);
        strcpy(a, paths[i]);
        strcpy(b, paths[i]);
        check(strcmp(model_dirname(a), dirname(b)) == 0, "dirname of %s", paths[i]);
    }
    for (int i = 0; i < 2000; i++) {
        long long x = (long long)(random_bits() >> random_below(64) << random_below(64));
        check(model_ffs((int)x) == ffs((int)x) && model_ffsl((long)x) == ffsl((long)x) && model_ffsll(x) == ffsll(x), "ffs");
    }
    check(model_ffs(0) == 0, "ffs of 0");
}

static void test_options(void) {
    static const char *const words[] = {"-a", "-b", "-ab", "-cvalue", "-c", "-x", "-abc", "--", "-d", "-dvalue", "-ba"};
    opterr = 0;
    for (int round = 0; round < 3000; round++) {
        char copies[6][16], *arguments[7] = {copies[0]};
        int count = 1 + (int)random_below(5);
        strcpy(copies[0], "program");
        for (int i = 1; i < count; i++) {
            strcpy(copies[i], words[random_below(sizeof words / sizeof *words)]);
            arguments[i] = copies[i];
        }
        arguments[count] = NULL;
        const char *options = round % 3 == 0 ? "abc:d::" : round % 3 == 1 ? ":abc:" : "+abc:";
        optind = 0;
        model_optind = 0;
        for (int option = 0; option != -1;) {
            option = getopt(count, arguments, options);
            int got = model_getopt(count, arguments, options);
            check(got == option && model_optind == optind && (option == -1 || model_optarg == optarg), "getopt gives %d, not %d",
                  got, option);
            check(option != '?' || model_optopt == optopt, "optopt");
        }
    }
}

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void test_trees(void) {
    void *root = NULL;
    int keys[200];
    bool added[50] = {false};
    for (int i = 0; i < 200; i++) {
        keys[i] = (int)random_below(50);
        check((model_tfind(&keys[i], &root, by_value) != NULL) == added[keys[i]], "tfind");
        int **found = model_tsearch(&keys[i], &root, by_value);
        check(**found == keys[i] && (*found == &keys[i]) == !added[keys[i]], "tsearch");
        added[keys[i]] = true;
    }
}

void test_posix(void) {
    test_wide();
    test_paths();
    test_options();
    test_trees();
}
