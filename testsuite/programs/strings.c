/* Characters and the functions of string.h. */
#include "check.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static int sign(int x) { return (x > 0) - (x < 0); }

static void reverse(char *s) {
    if (!*s)
        return;
    for (char *e = s + strlen(s) - 1; s < e; s++, e--) {
        char t = *s;
        *s = *e;
        *e = t;
    }
}

static char *number(unsigned n, unsigned base, char *out) {
    char *p = out;
    do
        *p++ = "0123456789abcdef"[n % base];
    while (n /= base);
    *p = 0;
    reverse(out);
    return out;
}

static int words(const char *s) {
    int count = 0, inside = 0;
    for (; *s; s++) {
        int space = isspace((unsigned char)*s) != 0;
        count += !space && !inside;
        inside = !space;
    }
    return count;
}

int main(void) {
    unsigned n = input();
    char buffer[64], other[64];
    result(hash(number(n, 10, buffer))), result(hash(number(n, 2, other))), result(hash(number(n, 16, buffer)));
    result(strlen(buffer));
    strcpy(buffer, "the quick brown fox");
    buffer[n % 19] = (char)('a' + n % 26);
    result((unsigned)words(buffer));
    strncpy(other, buffer, 8);
    other[8] = 0;
    strcat(other, "-");
    strncat(other, "appended", n % 10);
    result(hash(other));
    result((unsigned)sign(strcmp(buffer, other)) + 1u), result((unsigned)sign(strncmp(buffer, other, 5)) + 1u);
    result((unsigned)sign(memcmp("ab\xFF", "ab\x01", 3)) + 1u);
    char *found = strchr(buffer, 'q');
    result(found ? (unsigned long long)(found - buffer) : 99);
    found = strrchr(buffer, 'o');
    result(found ? (unsigned long long)(found - buffer) : 99);
    found = strstr(buffer, "brown");
    result(found ? (unsigned long long)(found - buffer) : 99);
    result(strspn(buffer, "thequick "));
    result(strcspn(buffer, "xyz")), result(strlen(strpbrk("hello, world", " ,")));
    result(memchr(buffer, 'z', 19) == 0);
    for (char *token = strtok(buffer, " "); token; token = strtok(0, " "))
        result(hash(token));

    unsigned kinds = 0;
    for (int c = 0; c < 128; c += 5)
        kinds = kinds * 3 + (unsigned)(!!isalpha(c) + !!isdigit(c) * 2 + !!isupper(c) * 4 + !!ispunct(c) * 8 + !!isxdigit(c) * 16) +
                (unsigned)toupper(c) + (unsigned)tolower(c);
    result(kinds);
    char small = (char)n;
    signed char s = (signed char)n;
    unsigned char u = (unsigned char)n;
    result((unsigned)(small < 0) + (s < 0) * 2u + (u > 127) * 4u + (small == s) * 8u);
    result((unsigned)('a' + '\n' + '\x7f' + '\\' + L'x')), result(sizeof "four" + sizeof 'c');

    result((unsigned)atoi("-123")), result((unsigned long long)strtol("0x7fz", &found, 0)), result(*found == 'z');
    result(strtoul("777", 0, 8)), result_double(strtod("2.5e3", 0)), result((unsigned)abs(-(int)(n & 0xFFF)));
    int length = snprintf(buffer, sizeof buffer, "%d|%5u|%-4x|%s|%c|%05d", (int)n, n & 0xFFF, n & 0xFF, "str", 'c', (int)(n & 0x7F));
    result((unsigned)length), result(hash(buffer));
    char *copy = strdup(buffer);
    result(copy && strcmp(copy, buffer) == 0);
    free(copy);
    return 0;
}
