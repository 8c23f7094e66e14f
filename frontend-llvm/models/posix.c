/* Small functions of POSIX: first set bits, the parts of a path, options on the command line, fatal errors. */
#include "model.h"

#define FIRST_SET(name, type)                                                                                          \
    int name(type value) {                                                                                             \
        for (int i = 0; i < (int)(8 * sizeof value); i++) {                                                            \
            if (((unsigned type)value >> i & 1) != 0) {                                                                \
                return i + 1;                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        return 0;                                                                                                      \
    }
FIRST_SET(ffs, int)
FIRST_SET(ffsl, long)
FIRST_SET(ffsll, long long)

/* The one of string.h: what follows the last slash. */
char *basename(const char *path) {
    const char *last = path;
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '/') {
            last = p + 1;
        }
    }
    return (char *)last;
}

/* The one of libgen.h, which drops slashes at the end. */
char *__xpg_basename(char *path) {
    if (path == NULL || *path == '\0') {
        return (char *)".";
    }
    size_t end = model_length(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    if (path[end] != '\0') {
        path[end] = '\0';
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return end == 1 && path[0] == '/' ? path : path + start;
}

char *dirname(char *path) {
    if (path == NULL) {
        return (char *)".";
    }
    size_t end = model_length(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    if (end == 0) {
        return (char *)".";
    }
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    if (end == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') {
        /* Exactly two slashes at the start stay. */
        size_t next = 2;
        while (path[next] != '\0' && path[next] != '/') {
            next++;
        }
        end = path[next] == '\0' ? 2 : end;
    }
    path[end] = '\0';
    return path;
}

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The letters of one argument that are still to be read. */
static const char *rest_of_options;

/* Stops at the first argument that is no option. glibc moves such arguments to the end instead; where this would make a
 * difference, the verdict is UNKNOWN. */
int getopt(int count, char *const arguments[], const char *options) {
    optarg = NULL;
    if (optind == 0) {
        optind = 1;
        rest_of_options = NULL;
    }
    bool in_order = *options == '+';
    if (*options == '-') {
        __clew_unsupported("options of getopt that start with a minus");
    }
    options += in_order;
    if (rest_of_options == NULL || *rest_of_options == '\0') {
        if (optind >= count) {
            return -1;
        }
        const char *argument = arguments[optind];
        if (argument[0] != '-' || argument[1] == '\0') {
            for (int i = optind + 1; i < count && !in_order; i++) {
                if (arguments[i][0] == '-' && arguments[i][1] != '\0') {
                    __clew_unsupported("options after other arguments, which getopt sorts");
                }
            }
            return -1;
        }
        if (argument[1] == '-' && argument[2] == '\0') {
            optind++;
            return -1;
        }
        rest_of_options = argument + 1;
    }
    char letter = *rest_of_options++;
    const char *found = options;
    while (*found != '\0' && (*found != letter || letter == ':' || letter == ';')) {
        found++;
    }
    bool ends = *rest_of_options == '\0';
    if (*found == '\0') {
        optopt = letter;
        optind += ends;
        return '?';
    }
    if (found[0] == 'W' && found[1] == ';') {
        __clew_unsupported("the option W of getopt");
    }
    if (found[1] != ':') {
        optind += ends;
        return letter;
    }
    if (!ends) {
        optarg = (char *)rest_of_options;
    } else if (found[2] != ':') {
        if (optind + 1 >= count) {
            optind++;
            rest_of_options = NULL;
            optopt = letter;
            return options[0] == ':' ? ':' : '?';
        }
        optarg = arguments[++optind];
    }
    optind++;
    rest_of_options = NULL;
    return letter;
}

/* The functions of err.h: they print and exit. */

MODEL_NORETURN void exit(int status);

MODEL_NORETURN void err(int status, const char *format, ...) {
    (void)format;
    exit(status);
}

MODEL_NORETURN void errx(int status, const char *format, ...) {
    (void)format;
    exit(status);
}

MODEL_NORETURN MODEL_INLINE void verr(int status, const char *format, va_list arguments) {
    (void)format, (void)arguments;
    exit(status);
}

MODEL_NORETURN MODEL_INLINE void verrx(int status, const char *format, va_list arguments) {
    (void)format, (void)arguments;
    exit(status);
}
