/* stdio.h: streams. Output leaves no trace in the program's memory; what input brings is unknown. */
#include "model.h"

typedef struct _IO_FILE { unsigned char opaque[216]; } FILE;

static FILE standard_input, standard_output, standard_error;
FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

static inline MODEL_INLINE int any_character(void) {
    model_disturb_errno();
    return model_any_int_between(MODEL_EOF, UCHAR_MAX);
}

/* What printing returns: a count, or -1. */
static inline MODEL_INLINE int any_count(void) {
    model_disturb_errno();
    return model_any_int_between(-1, INT_MAX);
}

static inline MODEL_INLINE FILE *any_stream(void) {
    if (__clew_any_bool()) {
        __clew_errno = model_any_int_between(1, 4095);
        return NULL;
    }
    return __clew_new_object(sizeof(FILE));
}

/* The character itself, or EOF after a failure. */
static inline MODEL_INLINE int written(int c) {
    model_disturb_errno();
    return __clew_any_bool() ? (unsigned char)c : MODEL_EOF;
}

bool __clew_prints_only(const char *format) {
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            continue;
        }
        do {
            format++;
        } while (*format != '\0' && (model_is_digit(*format) || *format == '.' || *format == '*' || *format == '-' ||
                                     *format == '+' || *format == ' ' || *format == '#' || *format == '\'' ||
                                     *format == '$' || *format == 'h' || *format == 'l' || *format == 'j' ||
                                     *format == 'z' || *format == 't' || *format == 'L' || *format == 'q'));
        if (*format == 'n') {
            return false;
        }
        if (*format == '\0') {
            return true;
        }
    }
    return true;
}

static inline MODEL_INLINE int printed(const char *format) {
    if (!__clew_prints_only(format)) {
        __clew_unsupported("%n in a format");
    }
    return any_count();
}

MODEL_INLINE int printf(const char *format, ...) {
    return printed(format);
}

MODEL_INLINE int fprintf(FILE *stream, const char *format, ...) {
    (void)stream;
    return printed(format);
}

MODEL_INLINE int dprintf(int file, const char *format, ...) {
    (void)file;
    return printed(format);
}

MODEL_INLINE int vprintf(const char *format, va_list arguments) {
    (void)arguments;
    return printed(format);
}

MODEL_INLINE int vfprintf(FILE *stream, const char *format, va_list arguments) {
    (void)stream, (void)arguments;
    return printed(format);
}

MODEL_INLINE int vdprintf(int file, const char *format, va_list arguments) {
    (void)file, (void)arguments;
    return printed(format);
}

MODEL_INLINE int __printf_chk(int flag, const char *format, ...) {
    (void)flag;
    return printed(format);
}

MODEL_INLINE int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    (void)stream, (void)flag;
    return printed(format);
}

MODEL_INLINE int __vprintf_chk(int flag, const char *format, va_list arguments) {
    (void)flag, (void)arguments;
    return printed(format);
}

MODEL_INLINE int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
    (void)stream, (void)flag, (void)arguments;
    return printed(format);
}

MODEL_INLINE int puts(const char *string) {
    (void)string;
    return any_count();
}

MODEL_INLINE int fputs(const char *string, FILE *stream) {
    (void)string, (void)stream;
    return any_count();
}

#define PUT_ONE(name)                                                                                                  \
    MODEL_INLINE int name(int c) {                                                                                     \
        return written(c);                                                                                             \
    }
#define PUT_ONE_TO(name)                                                                                               \
    MODEL_INLINE int name(int c, FILE *stream) {                                                                       \
        (void)stream;                                                                                                  \
        return written(c);                                                                                             \
    }
PUT_ONE(putchar)
PUT_ONE(putchar_unlocked)
PUT_ONE_TO(fputc)
PUT_ONE_TO(putc)
PUT_ONE_TO(_IO_putc)
PUT_ONE_TO(putc_unlocked)
PUT_ONE_TO(fputc_unlocked)

/* A later read may bring any character, so nothing needs to be remembered. */
MODEL_INLINE int ungetc(int c, FILE *stream) {
    (void)stream;
    return c == MODEL_EOF ? MODEL_EOF : written(c);
}

MODEL_INLINE size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    (void)from, (void)stream;
    model_disturb_errno();
    return size == 0 ? 0 : model_any_size_to(count);
}

MODEL_INLINE void perror(const char *message) {
    (void)message;
    model_disturb_errno();
}

#define GET_ONE(name)                                                                                                  \
    MODEL_INLINE int name(void) {                                                                                      \
        return any_character();                                                                                        \
    }
#define GET_ONE_FROM(name)                                                                                             \
    MODEL_INLINE int name(FILE *stream) {                                                                              \
        (void)stream;                                                                                                  \
        return any_character();                                                                                        \
    }
GET_ONE(getchar)
GET_ONE(getchar_unlocked)
GET_ONE_FROM(fgetc)
GET_ONE_FROM(getc)
GET_ONE_FROM(_IO_getc)
GET_ONE_FROM(getc_unlocked)
GET_ONE_FROM(fgetc_unlocked)

static inline MODEL_INLINE char *get_string(char *to, int room) {
    model_disturb_errno();
    if (room <= 0) {
        return NULL;
    }
    size_t length = model_any_size_to((size_t)room - 1);
    if (length == 0 && room > 1) {
        return NULL; /* The end of the file: nothing is written. */
    }
    model_fill_unknown(to, length);
    if (room > 1 && __clew_any_bool()) {
        return NULL; /* An error in the midst. */
    }
    to[length] = '\0';
    return to;
}

MODEL_INLINE char *fgets(char *restrict to, int room, FILE *restrict stream) {
    (void)stream;
    return get_string(to, room);
}

MODEL_INLINE char *__fgets_chk(char *restrict to, size_t object, int room, FILE *restrict stream) {
    (void)stream, (void)object;
    return get_string(to, room);
}

/* The line may have any length, which is what makes this function so dangerous. */
MODEL_INLINE char *gets(char *to) {
    model_disturb_errno();
    size_t length = model_any_size_to(MODEL_OBJECT_LIMIT);
    model_fill_unknown(to, length);
    if (__clew_any_bool()) {
        return NULL;
    }
    to[length] = '\0';
    return to;
}

MODEL_INLINE size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    (void)stream;
    model_disturb_errno();
    size_t bytes = model_any_size_to(size * count);
    model_fill_unknown(to, bytes);
    return size == 0 ? 0 : bytes / size;
}

static inline MODEL_INLINE ssize_t get_line(char **line, size_t *room) {
    model_disturb_errno();
    size_t length = model_any_size_to(MODEL_OBJECT_LIMIT - 1);
    if (*line == NULL || *room < length + 1) {
        /* Any size that is large enough. */
        *room = length + 1 + model_any_size_to(MODEL_OBJECT_LIMIT - 1 - length);
        *line = __clew_new_object(*room);
    }
    model_fill_unknown(*line, length);
    if (length == 0 || __clew_any_bool()) {
        return -1;
    }
    (*line)[length] = '\0';
    return (ssize_t)length;
}

MODEL_INLINE ssize_t getline(char **line, size_t *room, FILE *stream) {
    (void)stream;
    return get_line(line, room);
}

MODEL_INLINE ssize_t getdelim(char **line, size_t *room, int end, FILE *stream) {
    (void)end, (void)stream;
    return get_line(line, room);
}

MODEL_INLINE FILE *fopen(const char *restrict path, const char *restrict mode) {
    (void)path, (void)mode;
    return any_stream();
}

MODEL_INLINE FILE *fopen64(const char *restrict path, const char *restrict mode) {
    (void)path, (void)mode;
    return any_stream();
}

MODEL_INLINE FILE *fdopen(int file, const char *mode) {
    (void)file, (void)mode;
    return any_stream();
}

MODEL_INLINE FILE *popen(const char *command, const char *mode) {
    (void)command, (void)mode;
    return any_stream();
}

MODEL_INLINE FILE *tmpfile(void) {
    return any_stream();
}

MODEL_INLINE FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    (void)path, (void)mode;
    model_disturb_errno();
    return __clew_any_bool() ? stream : NULL;
}

#define STATUS_OF(name)                                                                                                \
    MODEL_INLINE int name(FILE *stream) {                                                                              \
        (void)stream;                                                                                                  \
        return model_any_status();                                                                                     \
    }
STATUS_OF(fclose)
STATUS_OF(fflush)
STATUS_OF(fflush_unlocked)

MODEL_INLINE int pclose(FILE *stream) {
    (void)stream;
    return __clew_any_int();
}

MODEL_INLINE int fileno(FILE *stream) {
    (void)stream;
    return model_any_int_between(-1, INT_MAX);
}

MODEL_INLINE int feof(FILE *stream) {
    (void)stream;
    return __clew_any_bool();
}

MODEL_INLINE int ferror(FILE *stream) {
    (void)stream;
    return __clew_any_bool();
}

MODEL_INLINE void clearerr(FILE *stream) {
    (void)stream;
}

MODEL_INLINE void rewind(FILE *stream) {
    (void)stream;
}

MODEL_INLINE int fseek(FILE *stream, long offset, int whence) {
    (void)stream, (void)offset, (void)whence;
    return model_any_status();
}

MODEL_INLINE int fseeko(FILE *stream, long offset, int whence) {
    (void)stream, (void)offset, (void)whence;
    return model_any_status();
}

static inline MODEL_INLINE long any_offset(void) {
    long offset = __clew_any_long();
    __clew_fact(offset >= -1);
    return offset;
}

MODEL_INLINE long ftell(FILE *stream) {
    (void)stream;
    model_disturb_errno();
    return any_offset();
}

MODEL_INLINE long ftello(FILE *stream) {
    (void)stream;
    model_disturb_errno();
    return any_offset();
}

/* A buffer given to a stream would be written behind the program's back. */
MODEL_INLINE int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t bytes) {
    (void)stream, (void)mode, (void)bytes;
    if (buffer != NULL) {
        __clew_unsupported("a buffer of the program for a stream");
    }
    return model_any_status();
}

MODEL_INLINE void setbuf(FILE *restrict stream, char *restrict buffer) {
    (void)stream;
    if (buffer != NULL) {
        __clew_unsupported("a buffer of the program for a stream");
    }
}

MODEL_INLINE void setlinebuf(FILE *stream) {
    (void)stream;
}

MODEL_INLINE int remove(const char *path) {
    (void)path;
    return model_any_status();
}

MODEL_INLINE int rename(const char *from, const char *to) {
    (void)from, (void)to;
    return model_any_status();
}
