/* stdio.h: scanf from a string, which is exact. */
#include "model.h"

enum length { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

struct directive {
    bool discard;
    size_t width; /* SIZE_MAX if there is none. */
    enum length length;
};

/* A va_list that can be passed on by reference, whatever type the platform gives it. */
struct arguments {
    va_list list;
};

/* How a conversion ends. */
enum outcome { CONVERTED, NO_MATCH, NO_INPUT };

/* strtod.c. */
float __clew_float_of_text(const char *text);
double __clew_double_of_text(const char *text);
long double __clew_longdouble_of_text(const char *text);

static const char *read_directive(const char *format, struct directive *directive) {
    directive->discard = *format == '*';
    format += directive->discard;
    directive->width = model_is_digit(*format) ? 0 : SIZE_MAX;
    for (; model_is_digit(*format); format++) {
        directive->width = directive->width * 10 + (size_t)(*format - '0');
    }
    directive->length = INT;
    switch (*format) {
    case 'h':
        directive->length = format[1] == 'h' ? CHAR : SHORT;
        return format + 1 + (directive->length == CHAR);
    case 'l':
        directive->length = format[1] == 'l' ? LONG_LONG : LONG;
        return format + 1 + (directive->length == LONG_LONG);
    case 'q':
    case 'j':
        directive->length = LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        directive->length = sizeof(size_t) == sizeof(long) ? LONG : INT;
        return format + 1;
    case 'L':
        directive->length = LONG_DOUBLE;
        return format + 1;
    default:
        return format;
    }
}

static void store_integer(struct arguments *arguments, enum length length, unsigned long long value) {
    switch (length) {
    case CHAR: *va_arg(arguments->list, unsigned char *) = (unsigned char)value; break;
    case SHORT: *va_arg(arguments->list, unsigned short *) = (unsigned short)value; break;
    case INT: *va_arg(arguments->list, unsigned *) = (unsigned)value; break;
    case LONG: *va_arg(arguments->list, unsigned long *) = (unsigned long)value; break;
    default: *va_arg(arguments->list, unsigned long long *) = value; break;
    }
}

static inline MODEL_INLINE unsigned digit_value(char c) {
    int lower = model_to_lower(c);
    return model_is_digit(c) ? (unsigned)(c - '0') : model_is_lower(lower) ? (unsigned)(lower - 'a' + 10) : 99;
}

/* Digits beyond the range give its end, as strtol and strtoul do, before the number is cut to its type. */
static enum outcome scan_integer(const char **text, const struct directive *directive, unsigned base, bool is_signed,
                                 struct arguments *arguments) {
    const char *p = *text;
    size_t width = directive->width;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') {
        p++;
        width--;
    }
    bool found = false;
    if (width > 0 && *p == '0' && (base == 0 || base == 16)) {
        found = true;
        p++;
        width--;
        if (width > 0 && model_to_lower(*p) == 'x') {
            if (width == 1 || digit_value(p[1]) >= 16) {
                __clew_unsupported("0x without digits, which C libraries read in different ways");
            }
            base = 16;
            p++;
            width--;
        } else if (base == 0) {
            base = 8;
        }
    }
    base = base == 0 ? 10 : base;
    bool is_wide = directive->length == LONG_LONG || sizeof(long) == sizeof(long long);
    unsigned long long limit = is_signed ? (is_wide ? LLONG_MAX : LONG_MAX) : is_wide ? ULLONG_MAX : ULONG_MAX;
    limit += is_signed && negative;
    unsigned long long value = 0;
    bool fits = true;
    for (; width > 0 && digit_value(*p) < base; p++, width--) {
        unsigned digit = digit_value(*p);
        found = true;
        fits = fits && value <= (limit - digit) / base;
        value = fits ? value * base + digit : limit;
    }
    *text = p;
    if (!found) {
        return NO_MATCH;
    }
    if (!fits) {
        __clew_errno = MODEL_ERANGE;
    }
    if (!directive->discard) {
        /* A number without sign that does not fit stays the largest one, even after a minus. */
        bool negated = negative && (is_signed || fits);
        store_integer(arguments, directive->length, negated ? 0 - value : value);
    }
    return CONVERTED;
}

static size_t take_digits(const char **p, size_t *width, char *to, size_t length) {
    for (; *width > 0 && model_is_digit(**p); ++*p, --*width) {
        to[length++] = **p;
    }
    return length;
}

enum { LONGEST_REAL = 400 };

static enum outcome scan_real(const char **text, const struct directive *directive, struct arguments *arguments) {
    char copy[LONGEST_REAL];
    const char *p = *text;
    size_t width = directive->width < LONGEST_REAL - 1 ? directive->width : LONGEST_REAL - 1, length = 0;
    if (width > 0 && (*p == '-' || *p == '+')) {
        copy[length++] = *p++;
        width--;
    }
    if (model_is_lower(model_to_lower(*p)) || (*p == '0' && model_to_lower(p[1]) == 'x')) {
        int first = model_to_lower(*p);
        if (first == 'i' || first == 'n' || first == '0') {
            __clew_unsupported("an infinity, a NaN or a hexadecimal number in the input of scanf");
        }
        *text = p;
        return NO_MATCH;
    }
    size_t before = length;
    length = take_digits(&p, &width, copy, length);
    size_t digits = length - before;
    if (width > 0 && *p == '.') {
        copy[length++] = *p++;
        width--;
        before = length;
        length = take_digits(&p, &width, copy, length);
        digits += length - before;
    }
    if (digits > 0 && width > 0 && model_to_lower(*p) == 'e') {
        copy[length++] = *p++;
        width--;
        if (width > 0 && (*p == '-' || *p == '+')) {
            copy[length++] = *p++;
            width--;
        }
        before = length;
        length = take_digits(&p, &width, copy, length);
        if (length == before) {
            __clew_unsupported("an exponent without digits in the input of scanf");
        }
    }
    *text = p;
    if (digits == 0) {
        return NO_MATCH;
    }
    if (length == LONGEST_REAL - 1) {
        __clew_unsupported("a long floating-point number in the input of scanf");
    }
    copy[length] = '\0';
    if (directive->discard) {
        return CONVERTED;
    }
    switch (directive->length) {
    case LONG: *va_arg(arguments->list, double *) = __clew_double_of_text(copy); break;
    case LONG_LONG:
    case LONG_DOUBLE: *va_arg(arguments->list, long double *) = __clew_longdouble_of_text(copy); break;
    default: *va_arg(arguments->list, float *) = __clew_float_of_text(copy); break;
    }
    return CONVERTED;
}

/* Whether a set such as `^a-z]` has a character. */
static bool is_in_set(const char *set, char c) {
    bool inverted = *set == '^';
    set += inverted;
    bool found = false, first = true;
    for (; first || *set != ']'; set++, first = false) {
        if (*set == '\0') {
            break;
        }
        if (set[1] == '-' && set[2] != ']' && set[2] != '\0') {
            found = found || ((unsigned char)set[0] <= (unsigned char)c && (unsigned char)c <= (unsigned char)set[2]);
            set += 2;
        } else {
            found = found || *set == c;
        }
    }
    return found != inverted;
}

/* Where a set ends: at the bracket that closes it. */
static const char *skip_set(const char *set) {
    set += *set == '^';
    set += *set == ']';
    while (*set != '\0' && *set != ']') {
        set++;
    }
    return set;
}

/* Characters up to the width: those of a set, those that are no space, or any. */
static enum outcome scan_text(const char **text, const struct directive *directive, char conversion, const char *set,
                              struct arguments *arguments) {
    size_t width = directive->width == SIZE_MAX && conversion == 'c' ? 1 : directive->width;
    char *to = directive->discard ? NULL : va_arg(arguments->list, char *);
    size_t length = 0;
    for (; length < width && **text != '\0'; length++, ++*text) {
        char c = **text;
        if ((conversion == 's' && model_is_space(c)) || (conversion == '[' && !is_in_set(set, c))) {
            break;
        }
        if (to != NULL) {
            to[length] = c;
        }
    }
    if (length == 0) {
        return NO_MATCH;
    }
    if (to != NULL && conversion != 'c') {
        to[length] = '\0';
    }
    return CONVERTED;
}

static int scan(const char *text, const char *format, va_list list) {
    const char *const start = text;
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = 0;
    enum outcome outcome = CONVERTED;
    for (; *format != '\0' && outcome == CONVERTED; format++) {
        if (model_is_space(*format)) {
            while (model_is_space(*text)) {
                text++;
            }
            continue;
        }
        struct directive directive = {.length = INT};
        bool literal = *format != '%', keeps_space = literal;
        if (!literal) {
            format = read_directive(format + 1, &directive);
            literal = *format == '%';
            keeps_space = *format == 'c' || *format == '[';
        }
        char conversion = *format;
        if (conversion == 'n' && !literal) {
            if (!directive.discard) {
                store_integer(&arguments, directive.length, (unsigned long long)(text - start));
            }
            continue;
        }
        while (!keeps_space && model_is_space(*text)) {
            text++;
        }
        if (*text == '\0') {
            outcome = NO_INPUT;
            break;
        }
        if (literal) {
            outcome = *text == conversion ? CONVERTED : NO_MATCH;
            text++;
            continue;
        }
        switch (conversion) {
        case 'd': outcome = scan_integer(&text, &directive, 10, true, &arguments); break;
        case 'i': outcome = scan_integer(&text, &directive, 0, true, &arguments); break;
        case 'u': outcome = scan_integer(&text, &directive, 10, false, &arguments); break;
        case 'o': outcome = scan_integer(&text, &directive, 8, false, &arguments); break;
        case 'x':
        case 'X': outcome = scan_integer(&text, &directive, 16, false, &arguments); break;
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
            outcome = scan_real(&text, &directive, &arguments);
            break;
        case 's': case 'c': case '[':
            if (directive.length != INT) {
                __clew_unsupported("a wide conversion in a scanf format");
            }
            outcome = scan_text(&text, &directive, conversion, format + 1, &arguments);
            if (conversion == '[') {
                format = skip_set(format + 1);
            }
            break;
        default:
            __clew_unsupported("an unusual conversion in a scanf format");
        }
        count += outcome == CONVERTED && !directive.discard;
    }
    va_end(arguments.list);
    return outcome == NO_INPUT && count == 0 ? MODEL_EOF : count;
}

#define FAMILY(prefix)                                                                                                 \
    int prefix##sscanf(const char *text, const char *format, ...) {                                                    \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int count = scan(text, format, list);                                                                          \
        va_end(list);                                                                                                  \
        return count;                                                                                                  \
    }                                                                                                                  \
    int prefix##vsscanf(const char *text, const char *format, va_list list) {                                          \
        return scan(text, format, list);                                                                               \
    }

FAMILY()
/* The names that glibc's headers give them in C99 and C23. */
FAMILY(__isoc99_)
FAMILY(__isoc23_)
