// clew.hpp: clew.h for C++, with clew::any<T>().
#ifndef CLEW_HPP
#define CLEW_HPP

#include <clew.h>

namespace clew {

// Any value of a type: of a number, or of a class that can be copied byte by byte and has no pointers.
template <typename T> inline T any() {
    return clew_any_of_(static_cast<T *>(nullptr));
}

}

#endif
