/* The text of numbers, for the stream headers of streams/. Flags are those of std::ios_base there. */
#include "model.h"

enum { FIXED = 4, HEX = 8, OCT = 64, SCIENTIFIC = 256, SHOWBASE = 512, SHOWPOINT = 1024, SHOWPOS = 2048, UPPERCASE = 16384 };

int snprintf(char *to, size_t room, const char *format, ...);

/* Writes sign or base and digits, without a terminator; at most 24 characters. */
size_t __clew_text_of_integer(char *to, unsigned long long value, char sign, int flags) {
    unsigned base = (flags & HEX) != 0 ? 16 : (flags & OCT) != 0 ? 8 : 10;
    const char *names = (flags & UPPERCASE) != 0 ? "0123456789ABCDEFX" : "0123456789abcdefx";
    size_t length = 0;
    if (sign != '\0') {
        to[length++] = sign;
    }
    if ((flags & SHOWBASE) != 0 && base != 10 && value != 0) {
        to[length++] = '0';
        if (base == 16) {
            to[length++] = names[16];
        }
    }
    size_t digits = 1;
    for (unsigned long long rest = value / base; rest != 0; rest /= base) {
        digits++;
    }
    for (size_t i = digits; i > 0; i--) {
        to[length + i - 1] = names[value % base];
        value /= base;
    }
    return length + digits;
}

/* Like snprintf with the format that the flags ask for. */
size_t __clew_text_of_real(char *to, size_t room, long double value, bool is_long, int flags, long precision) {
    bool is_hex = (flags & FIXED) != 0 && (flags & SCIENTIFIC) != 0;
    char conversion = is_hex ? 'a' : (flags & FIXED) != 0 ? 'f' : (flags & SCIENTIFIC) != 0 ? 'e' : 'g';
    char format[8];
    size_t length = 0;
    format[length++] = '%';
    if ((flags & SHOWPOS) != 0) {
        format[length++] = '+';
    }
    if ((flags & SHOWPOINT) != 0) {
        format[length++] = '#';
    }
    if (!is_hex) {
        format[length++] = '.';
        format[length++] = '*';
    }
    if (is_long) {
        format[length++] = 'L';
    }
    format[length++] = (flags & UPPERCASE) != 0 ? (char)(conversion - 'a' + 'A') : conversion;
    format[length] = '\0';
    int places = precision < 0 ? 6 : (int)precision;
    int written = is_hex    ? is_long ? snprintf(to, room, format, value) : snprintf(to, room, format, (double)value)
                  : is_long ? snprintf(to, room, format, places, value)
                            : snprintf(to, room, format, places, (double)value);
    return written < 0 ? 0 : (size_t)written;
}
