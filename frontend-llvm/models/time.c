/* time.h: any time may come. */
#include "model.h"

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };

static inline MODEL_INLINE long any_between(long least, long most) {
    long value = __clew_any_long();
    __clew_fact(least <= value && value <= most);
    return value;
}

static inline MODEL_INLINE void any_calendar(struct tm *to) {
    to->tm_sec = model_any_int_between(0, 60);
    to->tm_min = model_any_int_between(0, 59);
    to->tm_hour = model_any_int_between(0, 23);
    to->tm_mday = model_any_int_between(1, 31);
    to->tm_mon = model_any_int_between(0, 11);
    to->tm_year = __clew_any_int();
    to->tm_wday = model_any_int_between(0, 6);
    to->tm_yday = model_any_int_between(0, 365);
    to->tm_isdst = model_any_int_between(-1, 1);
    to->tm_gmtoff = any_between(-93600, 93600);
    to->tm_zone = model_any_string();
}

MODEL_INLINE long time(long *to) {
    long now = any_between(-1, LONG_MAX);
    if (to != NULL) {
        *to = now;
    }
    return now;
}

MODEL_INLINE long clock(void) {
    return any_between(-1, LONG_MAX);
}

MODEL_INLINE double difftime(long end, long start) {
    return (double)((long double)end - (long double)start);
}

MODEL_INLINE int gettimeofday(struct timeval *to, void *zone) {
    (void)zone;
    if (to != NULL) {
        to->tv_sec = any_between(0, LONG_MAX);
        to->tv_usec = any_between(0, 999999);
    }
    return 0;
}

MODEL_INLINE int clock_gettime(int clock_id, struct timespec *to) {
    (void)clock_id;
    int status = model_any_status();
    if (status == 0) {
        to->tv_sec = any_between(0, LONG_MAX);
        to->tv_nsec = any_between(0, 999999999);
    }
    return status;
}

MODEL_INLINE int timespec_get(struct timespec *to, int base) {
    if (__clew_any_bool()) {
        return 0;
    }
    to->tv_sec = any_between(0, LONG_MAX);
    to->tv_nsec = any_between(0, 999999999);
    return base;
}

MODEL_INLINE int nanosleep(const struct timespec *duration, struct timespec *left) {
    (void)duration;
    int status = model_any_status();
    if (status != 0 && left != NULL) {
        left->tv_sec = any_between(0, LONG_MAX);
        left->tv_nsec = any_between(0, 999999999);
    }
    return status;
}

/* The functions without a buffer of the caller share one. */
static struct tm shared_calendar;
static char shared_text[26];

static inline MODEL_INLINE struct tm *calendar_in(struct tm *to) {
    if (__clew_any_bool()) {
        __clew_errno = MODEL_EOVERFLOW;
        return NULL;
    }
    any_calendar(to);
    return to;
}

MODEL_INLINE struct tm *localtime(const long *moment) {
    (void)moment;
    return calendar_in(&shared_calendar);
}

MODEL_INLINE struct tm *gmtime(const long *moment) {
    (void)moment;
    return calendar_in(&shared_calendar);
}

MODEL_INLINE struct tm *localtime_r(const long *restrict moment, struct tm *restrict to) {
    (void)moment;
    return calendar_in(to);
}

MODEL_INLINE struct tm *gmtime_r(const long *restrict moment, struct tm *restrict to) {
    (void)moment;
    return calendar_in(to);
}

/* mktime brings the fields into their ranges. */
MODEL_INLINE long mktime(struct tm *calendar) {
    if (__clew_any_bool()) {
        return -1;
    }
    any_calendar(calendar);
    return __clew_any_long();
}

static inline MODEL_INLINE char *text_in(char *to) {
    if (__clew_any_bool()) {
        return NULL;
    }
    size_t length = model_any_size_to(25);
    model_fill_unknown(to, length);
    to[length] = '\0';
    return to;
}

MODEL_INLINE char *ctime(const long *moment) {
    (void)moment;
    return text_in(shared_text);
}

MODEL_INLINE char *asctime(const struct tm *calendar) {
    (void)calendar;
    return text_in(shared_text);
}

MODEL_INLINE char *ctime_r(const long *restrict moment, char *restrict to) {
    (void)moment;
    return text_in(to);
}

MODEL_INLINE char *asctime_r(const struct tm *restrict calendar, char *restrict to) {
    (void)calendar;
    return text_in(to);
}

/* 0 if the text does not fit; what is in the array then is unknown. */
MODEL_INLINE size_t strftime(char *restrict to, size_t room, const char *restrict format,
                             const struct tm *restrict calendar) {
    (void)format, (void)calendar;
    if (room == 0) {
        return 0;
    }
    size_t length = model_any_size_to(room);
    model_fill_unknown(to, length);
    if (length == room || __clew_any_bool()) {
        return 0;
    }
    to[length] = '\0';
    return length;
}
