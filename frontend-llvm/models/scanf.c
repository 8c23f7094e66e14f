/* stdio.h: scanf from files. What is read is unknown; where it goes, the format says. */
#include "model.h"

typedef struct _IO_FILE FILE;

enum length { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

struct directive {
    bool discard;
    size_t width; /* 0 if there is none. */
    enum length length;
};

/* A va_list that can be passed on by reference, whatever type the platform gives it. */
struct arguments {
    va_list list;
};

static const char *read_directive(const char *format, struct directive *directive) {
    if (*format == '*') {
        directive->discard = true;
        format++;
    }
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

static void store_integer(struct arguments *arguments, enum length length) {
    switch (length) {
    case CHAR: *va_arg(arguments->list, signed char *) = __clew_any_schar(); break;
    case SHORT: *va_arg(arguments->list, short *) = __clew_any_short(); break;
    case INT: *va_arg(arguments->list, int *) = __clew_any_int(); break;
    case LONG: *va_arg(arguments->list, long *) = __clew_any_long(); break;
    default: *va_arg(arguments->list, long long *) = __clew_any_longlong(); break;
    }
}

static void store_real(struct arguments *arguments, enum length length) {
    switch (length) {
    case LONG: *va_arg(arguments->list, double *) = __clew_any_double(); break;
    case LONG_LONG:
    case LONG_DOUBLE: *va_arg(arguments->list, long double *) = __clew_any_longdouble(); break;
    default: *va_arg(arguments->list, float *) = __clew_any_float(); break;
    }
}

/* Without a width, the text may have any length: the target overflows if the input wants it so. */
static void store_text(struct arguments *arguments, size_t width) {
    char *to = va_arg(arguments->list, char *);
    size_t length = model_any_size_to(width != 0 ? width : MODEL_OBJECT_LIMIT);
    model_fill_unknown(to, length);
    to[length] = '\0';
}

/* Where a set as in %[^]a-z] ends: at the bracket that closes it. */
static const char *skip_set(const char *format) {
    format++;
    if (*format == '^') {
        format++;
    }
    if (*format == ']') {
        format++;
    }
    while (*format != '\0' && *format != ']') {
        format++;
    }
    return format;
}

static int scan(const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = 0;
    bool ends = false;
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            continue;
        }
        struct directive directive = {0};
        format = read_directive(format + 1, &directive);
        if (*format == '%') {
            continue;
        }
        /* The input may end or not match before each conversion. */
        if (__clew_any_bool()) {
            ends = true;
            break;
        }
        bool is_text = *format == 's' || *format == 'c' || *format == '[';
        if (is_text && directive.length != INT) {
            __clew_unsupported("a wide conversion in a scanf format");
        }
        char conversion = *format;
        if (conversion == '[') {
            format = skip_set(format);
        }
        if (directive.discard) {
            continue;
        }
        switch (conversion) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
            store_integer(&arguments, directive.length);
            break;
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
            store_real(&arguments, directive.length);
            break;
        case 's': case '[':
            store_text(&arguments, directive.width);
            break;
        case 'c':
            model_fill_unknown(va_arg(arguments.list, char *), directive.width != 0 ? directive.width : 1);
            break;
        case 'p':
            *va_arg(arguments.list, void **) = __clew_any_pointer();
            break;
        case 'n':
            store_integer(&arguments, directive.length);
            continue; /* %n is not counted. */
        default:
            __clew_unsupported("an unusual conversion in a scanf format");
        }
        count++;
    }
    va_end(arguments.list);
    model_disturb_errno();
    /* The end of the input before the first conversion, or an error at any time. */
    return ends && __clew_any_bool() ? MODEL_EOF : count;
}

#define SCAN_LIST                                                                                                      \
    { return scan(format, list); }
#define SCAN_ARGUMENTS                                                                                                 \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int count = scan(format, list);                                                                                \
        va_end(list);                                                                                                  \
        return count;                                                                                                  \
    }
#define FAMILY(prefix)                                                                                                 \
    int prefix##scanf(const char *format, ...) SCAN_ARGUMENTS                                                          \
    int prefix##fscanf(FILE *stream __attribute__((unused)), const char *format, ...) SCAN_ARGUMENTS                   \
    int prefix##vscanf(const char *format, va_list list) SCAN_LIST                                                     \
    int prefix##vfscanf(FILE *stream __attribute__((unused)), const char *format, va_list list) SCAN_LIST

FAMILY()
/* The names that glibc's headers give them in C99 and C23. */
FAMILY(__isoc99_)
FAMILY(__isoc23_)
