// How values are read from stream buffers: exactly from text in memory, unknown ones from outside.
#ifndef CLEW_STREAMS_INPUT
#define CLEW_STREAMS_INPUT 1

#include <ext/numeric_traits.h>
#include <streambuf>

extern "C" {
void *__clew_unknown_object(__SIZE_TYPE__) noexcept;
__SIZE_TYPE__ __clew_any_ulong(void) noexcept;
short __clew_any_short(void) noexcept;
unsigned short __clew_any_ushort(void) noexcept;
unsigned __clew_any_uint(void) noexcept;
long __clew_any_long(void) noexcept;
long long __clew_any_longlong(void) noexcept;
unsigned long long __clew_any_ulonglong(void) noexcept;
float __clew_any_float(void) noexcept;
double __clew_any_double(void) noexcept;
long double __clew_any_longdouble(void) noexcept;
float strtof(const char *, char **) noexcept;
double strtod(const char *, char **) noexcept;
long double strtold(const char *, char **) noexcept;
}

namespace std {
inline namespace __clew {
template <typename _I> inline bool __is_space(_I __c) { return __c == _I(' ') || (__c >= _I('\t') && __c <= _I('\r')); }

inline size_t __any_length(size_t __limit) {
    size_t __n = __clew_any_ulong();
    __clew_assume(__n <= __limit);
    return __n;
}

inline void __any_value(bool &__v) { __v = __clew_any_bool(); }
inline void __any_value(short &__v) { __v = __clew_any_short(); }
inline void __any_value(unsigned short &__v) { __v = __clew_any_ushort(); }
inline void __any_value(int &__v) { __v = __clew_any_int(); }
inline void __any_value(unsigned &__v) { __v = __clew_any_uint(); }
inline void __any_value(long &__v) { __v = __clew_any_long(); }
inline void __any_value(unsigned long &__v) { __v = __clew_any_ulong(); }
inline void __any_value(long long &__v) { __v = __clew_any_longlong(); }
inline void __any_value(unsigned long long &__v) { __v = __clew_any_ulonglong(); }
inline void __any_value(float &__v) { __v = __clew_any_float(); }
inline void __any_value(double &__v) { __v = __clew_any_double(); }
inline void __any_value(long double &__v) { __v = __clew_any_longdouble(); }

inline void __parse(const char *__s, float &__v) { __v = ::strtof(__s, nullptr); }
inline void __parse(const char *__s, double &__v) { __v = ::strtod(__s, nullptr); }
inline void __parse(const char *__s, long double &__v) { __v = ::strtold(__s, nullptr); }

// One formatted extraction, after white space.
template <typename _C, typename _T> struct __input {
    typedef typename _T::int_type int_type;
    basic_streambuf<_C, _T> &_M_buf;
    ios_base::fmtflags _M_flags;
    ios_base::iostate _M_state;

    template <typename _V> void _M_read(_V &__v) {
        if (_M_buf._M_is_outside()) {
            __forget_peeked(_M_buf);
            if (__clew_any_bool()) {
                // There is nothing but white space: the value stays.
                _M_state = ios_base::eofbit | ios_base::failbit;
                return;
            }
            _M_read_outside(__v);
        } else {
            _M_parse(__v);
        }
    }

private:
    template <typename _V> void _M_read_outside(_V &__v) {
        if (__clew_any_bool()) {
            __any_value(__v);
            _M_finite(__v);
        } else {
            // No number, or one that is too large.
            __v = __clew_any_bool()   ? _V(0)
                  : __clew_any_bool() ? __gnu_cxx::__numeric_traits<_V>::__max
                                      : _S_least(__v);
            _M_state = ios_base::failbit;
        }
        if (__clew_any_bool()) {
            _M_state |= ios_base::eofbit;
        }
    }
    void _M_read_outside(bool &__v) {
        __v = __clew_any_bool();
        _M_state = (__clew_any_bool() ? ios_base::failbit : 0) | (__clew_any_bool() ? ios_base::eofbit : 0);
    }
    void _M_read_outside(float &__v) { _M_read_real(__v, __FLT_MAX__); }
    void _M_read_outside(double &__v) { _M_read_real(__v, __DBL_MAX__); }
    void _M_read_outside(long double &__v) { _M_read_real(__v, __LDBL_MAX__); }
    template <typename _V> void _M_read_real(_V &__v, _V __largest) {
        __any_value(__v);
        __clew_assume(__v >= -__largest && __v <= __largest);
        if (__clew_any_bool()) {
            __clew_assume(__v == 0 || __v == __largest || __v == -__largest);
            _M_state = ios_base::failbit;
        }
        if (__clew_any_bool()) {
            _M_state |= ios_base::eofbit;
        }
    }
    template <typename _V> static _V _S_least(_V) { return __gnu_cxx::__numeric_traits<_V>::__min; }
    template <typename _V> void _M_finite(_V) {}

    int_type _M_peek() {
        int_type __c = _M_buf.sgetc();
        if (_T::eq_int_type(__c, _T::eof())) {
            _M_state |= ios_base::eofbit;
        }
        return __c;
    }
    bool _M_next_is(char __c) { return _T::eq_int_type(_M_peek(), _T::to_int_type(_C(__c))); }
    bool _M_skip(char __c) {
        bool __found = _M_next_is(__c);
        if (__found) {
            _M_buf.sbumpc();
        }
        return __found;
    }
    // The next digit, or 99.
    unsigned _M_digit() {
        int_type __c = _M_peek();
        if ((_M_state & ios_base::eofbit) != 0) {
            return 99;
        }
        unsigned __u = static_cast<unsigned>(__c);
        return __u - '0' < 10 ? __u - '0' : __u - 'a' < 6 ? __u - 'a' + 10 : __u - 'A' < 6 ? __u - 'A' + 10 : 99;
    }

    template <typename _V> void _M_parse(_V &__v) {
        constexpr bool __is_signed = __gnu_cxx::__numeric_traits<_V>::__is_signed;
        typedef unsigned long long __wide;
        bool __negative = _M_skip('-');
        if (!__negative) {
            _M_skip('+');
        }
        ios_base::fmtflags __field = _M_flags & ios_base::basefield;
        unsigned __base = __field == ios_base::oct ? 8 : __field == ios_base::hex ? 16 : 10;
        bool __found = false, __fits = true;
        if ((__field == 0 || __base == 16) && _M_skip('0')) {
            __found = true;
            if (_M_skip('x') || _M_skip('X')) {
                __base = 16;
                __found = false;
            } else if (__field == 0) {
                __base = 8;
            }
        }
        const __wide __largest = static_cast<__wide>(__gnu_cxx::__numeric_traits<_V>::__max);
        const __wide __limit = __is_signed && __negative ? __largest + 1 : __largest;
        __wide __value = 0;
        for (unsigned __d = _M_digit(); __d < __base; __d = _M_digit()) {
            __found = true;
            __fits = __fits && __value <= (__limit - __d) / __base && __d <= __limit;
            if (__fits) {
                __value = __value * __base + __d;
            }
            _M_buf.sbumpc();
        }
        if (!__found) {
            __v = 0;
            _M_state |= ios_base::failbit;
        } else if (!__fits) {
            __v = __is_signed && __negative ? __gnu_cxx::__numeric_traits<_V>::__min
                                            : __gnu_cxx::__numeric_traits<_V>::__max;
            _M_state |= ios_base::failbit;
        } else {
            __v = static_cast<_V>(__negative ? 0 - __value : __value);
        }
    }

    void _M_parse(bool &__v) {
        if ((_M_flags & ios_base::boolalpha) == 0) {
            long __n;
            _M_parse(__n);
            __v = __n != 0;
            if (__n != 0 && __n != 1) {
                _M_state |= ios_base::failbit;
            }
            return;
        }
        const char *__name = _M_next_is('t') ? "true" : "false";
        __v = *__name == 't';
        for (; *__name != '\0'; __name++) {
            if (!_M_skip(*__name)) {
                __v = false;
                _M_state |= ios_base::failbit;
                return;
            }
        }
    }

    void _M_parse(float &__v) { _M_parse_real(__v, __FLT_MAX__); }
    void _M_parse(double &__v) { _M_parse_real(__v, __DBL_MAX__); }
    void _M_parse(long double &__v) { _M_parse_real(__v, __LDBL_MAX__); }

    template <typename _V> void _M_parse_real(_V &__v, _V __largest) {
        string __text;
        if (_M_skip('-')) {
            __text += '-';
        } else {
            _M_skip('+');
        }
        bool __digits = _M_take_digits(__text);
        if (_M_skip('.')) {
            __text += '.';
            __digits = _M_take_digits(__text) || __digits;
        }
        bool __valid = __digits;
        if (__digits && (_M_skip('e') || _M_skip('E'))) {
            __text += 'e';
            if (_M_skip('-')) {
                __text += '-';
            } else {
                _M_skip('+');
            }
            __valid = _M_take_digits(__text);
        }
        if (!__valid) {
            __v = 0;
            _M_state |= ios_base::failbit;
            return;
        }
        __parse(__text.c_str(), __v);
        if (__v > __largest || __v < -__largest) {
            __v = __v > 0 ? __largest : -__largest;
            _M_state |= ios_base::failbit;
        }
    }
    bool _M_take_digits(string &__text) {
        bool __found = false;
        for (unsigned __d = _M_digit(); __d < 10; __d = _M_digit()) {
            __text += static_cast<char>('0' + __d);
            _M_buf.sbumpc();
            __found = true;
        }
        return __found;
    }
};

// The members of libstdc++'s string.
template <typename _C> struct __string_parts {
    _C *_M_p;
    size_t _M_length;
    union {
        _C _M_local[16 / sizeof(_C)];
        size_t _M_capacity;
    };
};

// Any text of any length. It is not copied character by character: where it ends is assumed, not written.
template <typename _C> inline void __any_text(basic_string<_C> &__s, size_t __least, size_t __limit) {
    static_assert(sizeof(__string_parts<_C>) == sizeof(basic_string<_C>), "the layout of libstdc++");
    size_t __n = __any_length(__limit);
    __clew_assume(__n >= __least);
    __s = basic_string<_C>();
    __string_parts<_C> &__parts = reinterpret_cast<__string_parts<_C> &>(__s);
    if (__n < sizeof __parts._M_local / sizeof(_C)) {
        __builtin_memcpy(__parts._M_local, __clew_unknown_object(sizeof __parts._M_local), sizeof __parts._M_local);
    } else {
        __parts._M_p = static_cast<_C *>(__clew_unknown_object((__n + 1) * sizeof(_C)));
        __parts._M_capacity = __n;
    }
    __parts._M_length = __n;
    __clew_assume(_C() == __parts._M_p[__n]);
}

template <typename _C> inline basic_istream<_C> &__read_string(basic_istream<_C> &__in, basic_string<_C> &__s) {
    typedef char_traits<_C> _T;
    if (!__in._M_start(false)) {
        return __in;
    }
    size_t __limit = __in.width() > 0 ? static_cast<size_t>(__in.width()) : __s.max_size() / 4;
    __in.width(0);
    ios_base::iostate __state = 0;
    if (__in.rdbuf()->_M_is_outside()) {
        __forget_peeked(*__in.rdbuf());
        if (__clew_any_bool()) {
            __any_text(__s, 1, __limit);
            __clew_assume(!__is_space(_T::to_int_type(__s[0])));
            __state = __clew_any_bool() ? ios_base::eofbit : 0;
        } else {
            __state = ios_base::eofbit | ios_base::failbit;
        }
    } else {
        __s.erase();
        typename _T::int_type __c = __in.rdbuf()->sgetc();
        while (__s.size() < __limit && !__in._S_is_end(__c) && !__is_space(__c)) {
            __s += _T::to_char_type(__c);
            __c = __in.rdbuf()->snextc();
        }
        if (__s.size() < __limit && __in._S_is_end(__c)) {
            __state = ios_base::eofbit;
        }
        if (__s.empty()) {
            __state |= ios_base::failbit;
        }
    }
    if (__state != 0) {
        __in.setstate(__state);
    }
    return __in;
}

template <typename _C>
inline basic_istream<_C> &__read_line(basic_istream<_C> &__in, basic_string<_C> &__s, _C __end) {
    typedef char_traits<_C> _T;
    if (!__in._M_start(true)) {
        return __in;
    }
    basic_streambuf<_C> &__buf = *__in.rdbuf();
    ios_base::iostate __state = 0;
    __s.erase();
    if (__buf._M_is_outside()) {
        __forget_peeked(__buf);
        if (__clew_any_bool()) {
            __any_text(__s, 0, __s.max_size() / 4);
            __clew_assume(__s.empty() || !_T::eq(__s[0], __end));
            __state = !__s.empty() && __clew_any_bool() ? ios_base::eofbit : 0;
        } else {
            __state = ios_base::eofbit | ios_base::failbit;
        }
    } else if (__buf._M_in_memory() != nullptr) {
        const basic_string<_C> &__text = *__buf._M_in_memory();
        size_t &__at = __buf._M_position();
        size_t __stop = __text.find(__end, __at);
        if (__stop != basic_string<_C>::npos) {
            __s.assign(__text, __at, __stop - __at);
            __at = __stop + 1;
        } else {
            __state = __at < __text.size() ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
            __s.assign(__text, __at < __text.size() ? __at : __text.size(), basic_string<_C>::npos);
            __at = __text.size();
        }
    } else {
        typename _T::int_type __c = __buf.sgetc();
        bool __any = false;
        while (!__in._S_is_end(__c) && !_T::eq_int_type(__c, _T::to_int_type(__end))) {
            __s += _T::to_char_type(__c);
            __any = true;
            __c = __buf.snextc();
        }
        if (__in._S_is_end(__c)) {
            __state = __any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
        } else {
            __buf.sbumpc();
        }
    }
    if (__state != 0) {
        __in.setstate(__state);
    }
    return __in;
}
} // namespace __clew
} // namespace std

#endif
