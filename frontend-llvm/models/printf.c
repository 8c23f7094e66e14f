/* stdio.h: formatting into memory (sprintf and its family), exact but for wide conversions and unusual reals. */
#include "printf_real.h"

/* Writes what fits and counts all. */
struct sink {
    char *to;
    size_t room;
    size_t count;
};

enum length { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

struct directive {
    bool left, plus, space, alternate, zeros;
    int width;
    int precision; /* -1 if there is none. */
    enum length length;
};

static void put(struct sink *sink, char c) {
    if (sink->count < sink->room) {
        sink->to[sink->count] = c;
    }
    sink->count++;
}

static void pad(struct sink *sink, char c, long times) {
    for (; times > 0; times--) {
        put(sink, c);
    }
}

/* A prefix (sign or "0x"), zeros and characters, in a field. */
static void put_field(struct sink *sink, const struct directive *directive, const char *prefix, long zeros,
                      const char *text, size_t length) {
    long blanks = directive->width - (long)model_length(prefix) - zeros - (long)length;
    if (!directive->left) {
        pad(sink, ' ', blanks);
    }
    for (; *prefix != '\0'; prefix++) {
        put(sink, *prefix);
    }
    pad(sink, '0', zeros);
    for (size_t i = 0; i < length; i++) {
        put(sink, text[i]);
    }
    if (directive->left) {
        pad(sink, ' ', blanks);
    }
}

static void put_number(struct sink *sink, const struct directive *directive, const char *prefix,
                       unsigned long long number, unsigned base, bool upper) {
    char digits[24]; /* 64 bits have at most 22 octal digits. */
    size_t start = sizeof digits;
    for (; number != 0; number /= base) {
        unsigned digit = (unsigned)(number % base);
        digits[--start] = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    }
    size_t length = sizeof digits - start;
    long least = directive->precision < 0 ? 1 : directive->precision;
    if (base == 8 && directive->alternate && least <= (long)length) {
        least = (long)length + 1; /* The first digit of an alternate octal is a zero. */
    }
    long zeros = least > (long)length ? least - (long)length : 0;
    if (directive->zeros && !directive->left && directive->precision < 0) {
        long fill = directive->width - (long)model_length(prefix) - (long)length;
        zeros = fill > zeros ? fill : zeros;
    }
    put_field(sink, directive, prefix, zeros, digits + start, length);
}

static void put_string(struct sink *sink, const struct directive *directive, const char *string) {
    if (string == NULL) {
        /* glibc shows a null pointer, but never a part of the word. */
        string = directive->precision < 0 || directive->precision >= 6 ? "(null)" : "";
    }
    size_t length = 0;
    while ((directive->precision < 0 || length < (size_t)directive->precision) && string[length] != '\0') {
        length++;
    }
    put_field(sink, directive, "", 0, string, length);
}

static const char *read_flags(const char *format, struct directive *directive) {
    for (;; format++) {
        switch (*format) {
        case '-': directive->left = true; break;
        case '+': directive->plus = true; break;
        case ' ': directive->space = true; break;
        case '#': directive->alternate = true; break;
        case '0': directive->zeros = true; break;
        default: return format;
        }
    }
}

static const char *read_digits(const char *format, int *number) {
    *number = 0;
    for (; model_is_digit(*format); format++) {
        if (*number > 100000000) {
            __clew_unsupported("a huge width in a format");
        }
        *number = *number * 10 + (*format - '0');
    }
    return format;
}

static const char *read_length(const char *format, enum length *length) {
    *length = INT;
    switch (*format) {
    case 'h':
        *length = format[1] == 'h' ? CHAR : SHORT;
        return format + 1 + (*length == CHAR);
    case 'l':
        *length = format[1] == 'l' ? LONG_LONG : LONG;
        return format + 1 + (*length == LONG_LONG);
    case 'q':
    case 'j':
        *length = LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        *length = sizeof(size_t) == sizeof(long) ? LONG : INT;
        return format + 1;
    case 'L':
        *length = LONG_DOUBLE;
        return format + 1;
    default:
        return format;
    }
}

/* A va_list that can be passed on by reference, whatever type the platform gives it. */
struct arguments {
    va_list list;
};

static long long next_signed(struct arguments *arguments, enum length length) {
    switch (length) {
    case CHAR: return (signed char)va_arg(arguments->list, int);
    case SHORT: return (short)va_arg(arguments->list, int);
    case INT: return va_arg(arguments->list, int);
    case LONG: return va_arg(arguments->list, long);
    default: return va_arg(arguments->list, long long);
    }
}

static unsigned long long next_unsigned(struct arguments *arguments, enum length length) {
    switch (length) {
    case CHAR: return (unsigned char)va_arg(arguments->list, unsigned);
    case SHORT: return (unsigned short)va_arg(arguments->list, unsigned);
    case INT: return va_arg(arguments->list, unsigned);
    case LONG: return va_arg(arguments->list, unsigned long);
    default: return va_arg(arguments->list, unsigned long long);
    }
}

static void store_count(struct arguments *arguments, enum length length, size_t count) {
    switch (length) {
    case CHAR: *va_arg(arguments->list, signed char *) = (signed char)count; break;
    case SHORT: *va_arg(arguments->list, short *) = (short)count; break;
    case INT: *va_arg(arguments->list, int *) = (int)count; break;
    case LONG: *va_arg(arguments->list, long *) = (long)count; break;
    default: *va_arg(arguments->list, long long *) = (long long)count; break;
    }
}

static void put_real(struct sink *sink, const struct directive *directive, char conversion, struct parts parts,
                     int bias, bool is_long) {
    const char *prefix = parts.negative ? "-" : directive->plus ? "+" : directive->space ? " " : "";
    bool upper = model_is_upper(conversion);
    if (parts.exponent == 2 * bias + 1) {
        bool infinite = is_long ? parts.fraction << 1 == 0 : parts.fraction == 0;
        const char *word = infinite ? upper ? "INF" : "inf" : upper ? "NAN" : "nan";
        return put_field(sink, directive, prefix, 0, word, 3);
    }
    int first = is_long ? 63 : 52; /* The place of the leading bit. */
    uint64_t mantissa = parts.fraction | (is_long || parts.exponent == 0 ? 0 : (uint64_t)1 << first);
    int exponent = (parts.exponent == 0 ? 1 : parts.exponent) - bias - first;
    char text[128];
    int length = real_text(text, real_of(mantissa, exponent), (char)model_to_lower(conversion), directive->precision,
                           directive->alternate);
    for (int i = 0; upper && i < length; i++) {
        text[i] = (char)model_to_upper(text[i]);
    }
    long zeros = directive->zeros && !directive->left ? directive->width - (long)model_length(prefix) - length : 0;
    put_field(sink, directive, prefix, zeros > 0 ? zeros : 0, text, (size_t)length);
}

static void convert(struct sink *sink, const struct directive *directive, char conversion,
                    struct arguments *arguments) {
    switch (conversion) {
    case 'd':
    case 'i': {
        long long number = next_signed(arguments, directive->length);
        const char *sign = number < 0 ? "-" : directive->plus ? "+" : directive->space ? " " : "";
        unsigned long long magnitude = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
        put_number(sink, directive, sign, magnitude, 10, false);
        break;
    }
    case 'u':
        put_number(sink, directive, "", next_unsigned(arguments, directive->length), 10, false);
        break;
    case 'o':
        put_number(sink, directive, "", next_unsigned(arguments, directive->length), 8, false);
        break;
    case 'x':
    case 'X': {
        unsigned long long number = next_unsigned(arguments, directive->length);
        const char *prefix = !directive->alternate || number == 0 ? "" : conversion == 'x' ? "0x" : "0X";
        put_number(sink, directive, prefix, number, 16, conversion == 'X');
        break;
    }
    case 'p': {
        uintptr_t address = (uintptr_t)va_arg(arguments->list, void *);
        if (address == 0) {
            struct directive whole = *directive;
            whole.precision = -1;
            put_string(sink, &whole, "(nil)");
        } else {
            put_number(sink, directive, directive->plus ? "+0x" : directive->space ? " 0x" : "0x", address, 16, false);
        }
        break;
    }
    case 'c': {
        if (directive->length == LONG) {
            __clew_unsupported("%lc in a format");
        }
        char c = (char)va_arg(arguments->list, int);
        put_field(sink, directive, "", 0, &c, 1);
        break;
    }
    case 's':
        if (directive->length == LONG) {
            __clew_unsupported("%ls in a format");
        }
        put_string(sink, directive, va_arg(arguments->list, const char *));
        break;
    case 'n':
        store_count(arguments, directive->length, sink->count);
        break;
    case '%':
        put(sink, '%');
        break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
        if (directive->length == LONG_DOUBLE) {
            put_real(sink, directive, conversion, parts_of_extended(va_arg(arguments->list, long double)), 16383, true);
        } else {
            put_real(sink, directive, conversion, parts_of_double(va_arg(arguments->list, double)), 1023, false);
        }
        break;
    default:
        __clew_unsupported("an unusual conversion in a format");
    }
}

static int format_into(char *to, size_t room, const char *format, struct arguments *arguments) {
    struct sink sink = {to, room == 0 ? 0 : room - 1, 0};
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            put(&sink, *format);
            continue;
        }
        struct directive directive = {.precision = -1};
        format = read_flags(format + 1, &directive);
        if (*format == '*') {
            directive.width = va_arg(arguments->list, int);
            if (directive.width < 0) {
                directive.left = true;
                directive.width = -directive.width;
            }
            format++;
        } else {
            format = read_digits(format, &directive.width);
        }
        if (*format == '.') {
            if (format[1] == '*') {
                directive.precision = va_arg(arguments->list, int);
                format += 2;
            } else {
                format = read_digits(format + 1, &directive.precision);
            }
        }
        format = read_length(format, &directive.length);
        convert(&sink, &directive, *format, arguments);
    }
    if (room > 0) {
        to[sink.count < sink.room ? sink.count : sink.room] = '\0';
    }
    if (sink.count > INT_MAX) {
        __clew_errno = MODEL_EOVERFLOW;
        return -1;
    }
    return (int)sink.count;
}

static int format_list(char *to, size_t room, const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = format_into(to, room, format, &arguments);
    va_end(arguments.list);
    return count;
}

static int format_fresh(char **result, const char *format, va_list list) {
    int count = format_list(NULL, 0, format, list);
    if (count >= 0) {
        *result = __clew_new_object((size_t)count + 1);
        format_list(*result, (size_t)count + 1, format, list);
    }
    return count;
}

/* sprintf has no bound of its own: more than the largest object is never written. */
#define UNBOUNDED MODEL_OBJECT_LIMIT

int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list list) {
    return format_list(to, room, format, list);
}

int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    return format_list(to, UNBOUNDED, format, list);
}

int vasprintf(char **restrict result, const char *restrict format, va_list list) {
    return format_fresh(result, format, list);
}

int __vsnprintf_chk(char *restrict to, size_t room, int flag, size_t object, const char *restrict format,
                    va_list list) {
    (void)flag, (void)object;
    return format_list(to, room, format, list);
}

int __vsprintf_chk(char *restrict to, int flag, size_t object, const char *restrict format, va_list list) {
    (void)flag, (void)object;
    return format_list(to, UNBOUNDED, format, list);
}

#define WITH_ARGUMENTS(call)                                                                                           \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int count = call;                                                                                                  \
    va_end(list);                                                                                                      \
    return count;

int snprintf(char *restrict to, size_t room, const char *restrict format, ...) {
    WITH_ARGUMENTS(format_list(to, room, format, list))
}

int sprintf(char *restrict to, const char *restrict format, ...) {
    WITH_ARGUMENTS(format_list(to, UNBOUNDED, format, list))
}

int asprintf(char **restrict result, const char *restrict format, ...) {
    WITH_ARGUMENTS(format_fresh(result, format, list))
}

int __snprintf_chk(char *restrict to, size_t room, int flag, size_t object, const char *restrict format, ...) {
    (void)flag, (void)object;
    WITH_ARGUMENTS(format_list(to, room, format, list))
}

int __sprintf_chk(char *restrict to, int flag, size_t object, const char *restrict format, ...) {
    (void)flag, (void)object;
    WITH_ARGUMENTS(format_list(to, UNBOUNDED, format, list))
}

int __asprintf_chk(char **restrict result, int flag, const char *restrict format, ...) {
    (void)flag;
    WITH_ARGUMENTS(format_fresh(result, format, list))
}
