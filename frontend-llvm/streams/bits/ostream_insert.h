// How strings are inserted into streams; `basic_string.h` and `string_view` call this.
#ifndef _OSTREAM_INSERT_H
#define _OSTREAM_INSERT_H 1

#include <iosfwd>
#include <bits/cxxabi_forced.h>
#include <bits/exception_defines.h>

namespace std {
template <typename _C, typename _T>
inline basic_ostream<_C, _T> &__ostream_insert(basic_ostream<_C, _T> &__out, const _C *__s, streamsize __n) {
    __out._M_padded(__s, static_cast<size_t>(__n), 0);
    return __out;
}
} // namespace std

#endif
