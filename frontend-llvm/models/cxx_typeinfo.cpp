/* C++: the classes of type information. Their vtables tell what kind of type is described; the definition of
 * __fundamental_type_info's destructor makes clang emit the descriptions of int and its like in this file. */
#include "model.h"

namespace __cxxabiv1 {
class __class_type_info;
}

namespace std {

class type_info {
public:
    virtual ~type_info();
    bool before(const type_info &other) const noexcept;
    bool operator==(const type_info &other) const noexcept;
    bool __equal(const type_info &other) const noexcept;
    virtual bool __is_pointer_p() const;
    virtual bool __is_function_p() const;
    virtual bool __do_catch(const type_info *thrown, void **object, unsigned outer) const;
    virtual bool __do_upcast(const __cxxabiv1::__class_type_info *target, void **object) const;

protected:
    const char *name;
};

type_info::~type_info() {}

/* The program is one module, so that each type has one description. */
MODEL_INLINE bool type_info::operator==(const type_info &other) const noexcept {
    return this == &other;
}
MODEL_INLINE bool type_info::__equal(const type_info &other) const noexcept {
    return this == &other;
}

/* Any order will do, but programs expect the one of the names. */
bool type_info::before(const type_info &other) const noexcept {
    const char *a = name, *b = other.name;
    if (*a == '*' && *b == '*') {
        return a < b;
    }
    while (*a != '\0' && *a == *b) {
        a++, b++;
    }
    return static_cast<unsigned char>(*a) < static_cast<unsigned char>(*b);
}

bool type_info::__is_pointer_p() const {
    return false;
}
bool type_info::__is_function_p() const {
    return false;
}
bool type_info::__do_catch(const type_info *, void **, unsigned) const {
    __clew_unsupported("std::type_info::__do_catch");
}
bool type_info::__do_upcast(const __cxxabiv1::__class_type_info *, void **) const {
    __clew_unsupported("std::type_info::__do_upcast");
}

}

namespace __cxxabiv1 {

#define KIND_OF_TYPE(name, base)                                                                                       \
    class name : public base {                                                                                         \
    public:                                                                                                            \
        virtual ~name();                                                                                               \
    };                                                                                                                 \
    name::~name() {}
KIND_OF_TYPE(__fundamental_type_info, std::type_info)
KIND_OF_TYPE(__array_type_info, std::type_info)
KIND_OF_TYPE(__enum_type_info, std::type_info)
KIND_OF_TYPE(__class_type_info, std::type_info)
KIND_OF_TYPE(__si_class_type_info, __class_type_info)
KIND_OF_TYPE(__vmi_class_type_info, __class_type_info)
KIND_OF_TYPE(__pbase_type_info, std::type_info)
KIND_OF_TYPE(__pointer_to_member_type_info, __pbase_type_info)

class __function_type_info : public std::type_info {
public:
    virtual ~__function_type_info();
    virtual bool __is_function_p() const;
};
__function_type_info::~__function_type_info() {}
bool __function_type_info::__is_function_p() const {
    return true;
}

class __pointer_type_info : public __pbase_type_info {
public:
    virtual ~__pointer_type_info();
    virtual bool __is_pointer_p() const;
};
__pointer_type_info::~__pointer_type_info() {}
bool __pointer_type_info::__is_pointer_p() const {
    return true;
}

}
