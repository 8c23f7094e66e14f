/* stdlib.h: numbers from text, division, sorting and searching; and the containers of C++. */
#define _GNU_SOURCE
#include "harness.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

MODEL(strtol); MODEL(strtoll); MODEL(strtoul); MODEL(strtoull); MODEL(strtoimax); MODEL(atoi); MODEL(atol); MODEL(atoll);
MODEL(strtod); MODEL(strtof); MODEL(strtold); MODEL(atof); MODEL(abs); MODEL(labs); MODEL(llabs); MODEL(div);
MODEL(ldiv); MODEL(lldiv); MODEL(qsort); MODEL(bsearch); MODEL(rand); MODEL(atexit); MODEL(qsort_r);
void __clew_run_atexit(void);

#define SAME_WHOLE(name)                                                                                               \
    do {                                                                                                               \
        char *end = NULL, *model_end = NULL;                                                                           \
        errno = __clew_errno = 0;                                                                                      \
        __typeof__(name(text, &end, base)) expected = name(text, &end, base), got = model_##name(text, &model_end, base); \
        check(got == expected && end == model_end && errno == __clew_errno,                                            \
              #name " of \"%s\" in base %d: %lld to %d, not %lld to %d, errno %d, not %d", text, base, (long long)got,  \
              (int)(model_end - text), (long long)expected, (int)(end - text), __clew_errno, errno);                   \
    } while (0)

static void check_whole(const char *text, int base) {
    SAME_WHOLE(strtol);
    SAME_WHOLE(strtoll);
    SAME_WHOLE(strtoul);
    SAME_WHOLE(strtoull);
    SAME_WHOLE(strtoimax);
    check(model_atoi(text) == atoi(text) && model_atol(text) == atol(text) && model_atoll(text) == atoll(text),
          "atoi of \"%s\"", text);
}

/* The value that the C library finds is the one that is chosen where the model does not know. */
#define SAME_REAL(name, type)                                                                                          \
    do {                                                                                                               \
        char *end = NULL, *model_end = NULL;                                                                           \
        errno = 0;                                                                                                     \
        type expected = name(text, &end);                                                                              \
        long double chosen = expected < 0 ? -(long double)expected : (long double)expected;                            \
        bool same = false;                                                                                             \
        chosen_real = &chosen;                                                                                         \
        for (int i = 0; i < 40 && !same; i++) {                                                                        \
            __clew_errno = 0;                                                                                          \
            assumption_failed = false;                                                                                 \
            type got = model_##name(text, &model_end);                                                                 \
            same = (got == expected || (got != got && expected != expected)) && end == model_end &&                    \
                   signbit(got) == signbit(expected) && errno == __clew_errno && !assumption_failed;                   \
        }                                                                                                              \
        chosen_real = NULL;                                                                                            \
        check(same, #name " of \"%s\": ends at %d, not %d; errno %d, not %d", text, (int)(model_end - text),            \
              (int)(end - text), __clew_errno, errno);                                                                 \
    } while (0)

static void check_real(const char *text) {
    SAME_REAL(strtod, double);
    SAME_REAL(strtof, float);
    SAME_REAL(strtold, long double);
}

/* What people write must be exact without a hint. */
static void check_exact(const char *text) {
    check(model_strtod(text, NULL) == strtod(text, NULL) && model_atof(text) == atof(text), "atof of %s", text);
}

void test_numbers(void) {
    static const char *const texts[] = {
        "", "0", "-0", "+", "-", " \t\n\v\f\r42", "+7", "--1", "0x", "0xg", "0x1f", "-0X1Fz", "010", "09", "zz", "Zz9", "1 2",
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "-4294967295", "-4294967296",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "99999999999999999999999999", "-99999999999999999999999999", "0b101", "1e5", "\x80", "0x 1", "0 x1",
    };
    static const int bases[] = {0, 2, 8, 10, 16, 36, 7, 1, -1, 37};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t j = 0; j < sizeof bases / sizeof *bases; j++) {
            check_whole(texts[i], bases[j]);
        }
    }
    for (int round = 0; round < 20000; round++) {
        static const char alphabet[] = "0123456789 -+xXabfFzZ9";
        char text[24];
        unsigned length = random_below(sizeof text);
        for (unsigned i = 0; i < length; i++) {
            text[i] = alphabet[random_below(i < 2 ? sizeof alphabet - 1 : 10)];
        }
        text[length] = '\0';
        check_whole(text, bases[random_below(7)]);
    }

    static const char *const reals[] = {
        "", ".", "+.", "-.e1", "0", "-0", "-0.0e5", "1", "1.", ".5", "-.5e1", "1e", "1e+", "1e-x", "1e5", "1E-5", "  +1.5e+3x",
        "inf", "-INFINITY", "infinit", "nan", "-NaN", "nan(", "nan()", "nan(0x1_z)", "nan(-)", "0x", "0x.", "0xp1", "0x1p", "0x1p3",
        "0x1.8p-2", "0x.1", "-0X1.FFp+10z", "0x1.p1", "1e400", "-1e400", "1e-400", "4.9e-324", "2.2e-308", "1e23", "3.4e38", "1e39",
        "0.1", "3.14159", "123456789012345678901234567890", "1.00000000000000000000000000000000001", "1..2", "1e1.5",
        "0.000000000000000000000000000000001", "00000000000000000000000000001.5", "0e99999999999999", "1e99999999999999",
        "1e-99999999999999", "9007199254740993", "16777217", "0x1fffffffffffffp-3", "0x10000000000000000000", "1p5",
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        check_real(reals[i]);
    }
    static const char *const exact[] = {"0", "1", "-1.5", "3.14159", "1e10", "1e-7", "0.1", "123456.789", "0x1.8p3", "2.50", "1e22"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        check_exact(exact[i]);
    }
    for (int round = 0; round < 20000; round++) {
        char text[64];
        snprintf(text, sizeof text, "%s%u.%0*ue%d", random_below(2) ? "-" : "", random_below(100000),
                 (int)random_below(9), random_below(100000), (int)random_below(60) - 30);
        check_real(text);
    }

    static const int edges[] = {0, 1, -1, 7, -7, INT_MAX, -INT_MAX};
    for (size_t i = 0; i < 7; i++) {
        check(model_abs(edges[i]) == abs(edges[i]) && model_labs(edges[i]) == labs(edges[i]) &&
                  model_llabs(edges[i]) == llabs(edges[i]), "abs of %d", edges[i]);
        for (size_t j = 1; j < 7; j++) {
            div_t a = model_div(edges[i], edges[j]), b = div(edges[i], edges[j]);
            ldiv_t c = model_ldiv(edges[i], edges[j]), d = ldiv(edges[i], edges[j]);
            lldiv_t e = model_lldiv(edges[i], edges[j]), f = lldiv(edges[i], edges[j]);
            check(a.quot == b.quot && a.rem == b.rem && c.quot == d.quot && c.rem == d.rem && e.quot == f.quot &&
                      e.rem == f.rem, "div of %d by %d", edges[i], edges[j]);
        }
    }
}

/* Only the first byte counts, so that there are duplicates that differ. */
static int by_first_byte(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_first_byte_in(const void *a, const void *b, void *sign) {
    return *(int *)sign * by_first_byte(a, b);
}

static char order[8];

static void first(void) { strcat(order, "1"); }
static void second(void) { strcat(order, "2"); }
static void third(void) { strcat(order, "3"); model_atexit(second); }

void test_sorting(void) {
    for (int round = 0; round < 2000; round++) {
        unsigned char a[300], b[300];
        size_t size = random_below(9) + 1, count = random_below(30);
        for (size_t i = 0; i < sizeof a; i++) {
            a[i] = b[i] = (unsigned char)random_below(round % 2 ? 10 : 256);
        }
        model_qsort(a, count, size, by_first_byte);
        qsort(b, count, size, by_first_byte);
        check(memcmp(a, b, sizeof a) == 0, "qsort of %zu elements of %zu bytes", count, size);
        unsigned char key = (unsigned char)random_below(10);
        check(model_bsearch(&key, b, count, size, by_first_byte) == bsearch(&key, b, count, size, by_first_byte),
              "bsearch of %d in %zu elements", key, count);
        int backwards = -1;
        model_qsort_r(a, count, size, by_first_byte_in, &backwards);
        qsort_r(b, count, size, by_first_byte_in, &backwards);
        check(memcmp(a, b, sizeof a) == 0, "qsort_r of %zu elements of %zu bytes", count, size);
    }
    model_atexit(first);
    model_atexit(third);
    __clew_run_atexit();
    check(strcmp(order, "321") == 0, "atexit runs in the order %s", order);
    assumption_failed = false;
}

/* std::set by the functions of libstdc++ that the models replace. */
struct tree_node {
    int color;
    struct tree_node *parent, *left, *right;
    int key;
};
struct tree_node *model__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct tree_node *);
struct tree_node *model__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct tree_node *);
void model__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool, struct tree_node *, struct tree_node *,
                                                                             struct tree_node *);
struct tree_node *model__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *, struct tree_node *);
struct list_node { struct list_node *next, *previous; };
void model__ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list_node *, struct list_node *);
void model__ZNSt8__detail15_List_node_base9_M_unhookEv(struct list_node *);
void model__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list_node *, struct list_node *, struct list_node *);
void model__ZNSt8__detail15_List_node_base10_M_reverseEv(struct list_node *);
void model__ZNSt8__detail15_List_node_base4swapERS0_S1_(struct list_node *, struct list_node *);

static void test_tree(void) {
    enum { KEYS = 16 };
    struct tree_node header = {0, NULL, &header, &header, -1}, nodes[KEYS];
    bool present[KEYS] = {false};
    for (int round = 0; round < 20000; round++) {
        int key = (int)random_below(KEYS);
        if (present[key]) {
            struct tree_node *gone =
                model__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(&nodes[key], &header);
            check(gone == &nodes[key], "erasing %d unlinks its node", key);
        } else {
            struct tree_node *parent = &header, *next = header.parent;
            bool left = true;
            while (next != NULL) {
                parent = next;
                left = key < next->key;
                next = left ? next->left : next->right;
            }
            nodes[key].key = key;
            model__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(left, &nodes[key], parent, &header);
        }
        present[key] = !present[key];
        struct tree_node *up = header.left, *down = &header;
        for (int i = 0; i < KEYS; i++) {
            if (present[i]) {
                check(up == &nodes[i], "the tree holds %d in order", i);
                up = model__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(up);
            }
            if (present[KEYS - 1 - i]) {
                down = model__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(down);
                check(down == &nodes[KEYS - 1 - i], "the tree holds %d in reverse order", KEYS - 1 - i);
            }
        }
        check(up == &header, "the tree ends at its header");
        check(header.right == (up = model__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(&header)), "the last node");
    }
}

/* The nodes of a list as the digits of a number, forwards; -1 if the way back differs. */
static long contents(const struct list_node *list, const struct list_node *nodes) {
    long number = 0;
    for (const struct list_node *p = list->next; p != list; p = p->next) {
        if (p->next->previous != p || p->previous->next != p) {
            return -1;
        }
        number = number * 10 + (p - nodes);
    }
    return list->next->previous == list ? number : -1;
}

static void test_list(void) {
    struct list_node nodes[6], a = {&a, &a}, b = {&b, &b};
    for (int i = 1; i <= 5; i++) {
        model__ZNSt8__detail15_List_node_base7_M_hookEPS0_(&nodes[i], i <= 3 ? &a : &b);
    }
    check(contents(&a, nodes) == 123 && contents(&b, nodes) == 45, "list: hook");
    model__ZNSt8__detail15_List_node_base10_M_reverseEv(&a);
    check(contents(&a, nodes) == 321, "list: reverse");
    model__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(&nodes[5], &nodes[3], &nodes[1]);
    check(contents(&a, nodes) == 1 && contents(&b, nodes) == 4325, "list: transfer");
    model__ZNSt8__detail15_List_node_base4swapERS0_S1_(&a, &b);
    check(contents(&a, nodes) == 4325 && contents(&b, nodes) == 1, "list: swap");
    model__ZNSt8__detail15_List_node_base9_M_unhookEv(&nodes[1]);
    check(contents(&b, nodes) == 0, "list: unhook");
    model__ZNSt8__detail15_List_node_base4swapERS0_S1_(&a, &b);
    check(contents(&a, nodes) == 0 && contents(&b, nodes) == 4325, "list: swap with an empty one");
}

void test_containers(void) {
    test_tree();
    test_list();
}
