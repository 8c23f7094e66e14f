/* C++: the standard exceptions that libstdc++ keeps out of line, with the names and sizes of its binary interface, and
 * the functions by which its headers throw them. */
#include "model.h"

namespace std {

template <typename C> struct char_traits;
template <typename T> class allocator;

namespace __cxx11 {
/* The start of a string, which is all that is needed of it here. */
template <typename C, typename Traits, typename Allocator> struct basic_string {
    C *text;
    size_t length;
};
}

using string = __cxx11::basic_string<char, char_traits<char>, allocator<char>>;

class exception {
public:
    exception() noexcept = default;
    exception(const exception &) = default;
    exception &operator=(const exception &) = default;
    virtual ~exception() noexcept;
    virtual const char *what() const noexcept;
};

exception::~exception() noexcept {}
const char *exception::what() const noexcept {
    return "std::exception";
}

#define EXCEPTION_WITH_FIXED_TEXT(name, base, text)                                                                    \
    class name : public base {                                                                                         \
    public:                                                                                                            \
        virtual ~name() noexcept;                                                                                      \
        virtual const char *what() const noexcept;                                                                     \
    };                                                                                                                 \
    name::~name() noexcept {}                                                                                          \
    const char *name::what() const noexcept {                                                                          \
        return text;                                                                                                   \
    }
EXCEPTION_WITH_FIXED_TEXT(bad_alloc, exception, "std::bad_alloc")
EXCEPTION_WITH_FIXED_TEXT(bad_array_new_length, bad_alloc, "std::bad_array_new_length")
EXCEPTION_WITH_FIXED_TEXT(bad_cast, exception, "std::bad_cast")
EXCEPTION_WITH_FIXED_TEXT(bad_exception, exception, "std::bad_exception")
EXCEPTION_WITH_FIXED_TEXT(bad_function_call, exception, "bad_function_call")
EXCEPTION_WITH_FIXED_TEXT(bad_typeid, exception, "std::bad_typeid")
EXCEPTION_WITH_FIXED_TEXT(bad_weak_ptr, exception, "bad_weak_ptr")

/* What an exception says. Exceptions that the library throws are rarely asked, so that their text is put together only
 * then; in libstdc++'s headers all texts with numbers are of the form `NAME: … (which is A) … (which is B)`. */
struct message {
    const char *text;
    bool has_numbers;
    const char *name;
    size_t a, b;

    static MODEL_INLINE const message *of_literal(const char *text) noexcept {
        message *self = static_cast<message *>(__clew_new_object(sizeof(message)));
        self->text = text;
        self->has_numbers = false;
        return self;
    }

    static MODEL_INLINE const message *of_copy(const char *text) noexcept {
        size_t bytes = model_length(text) + 1;
        char *copy = static_cast<char *>(__clew_new_object(bytes));
        __builtin_memcpy(copy, text, bytes);
        return of_literal(copy);
    }

    static MODEL_INLINE const message *of_numbers(const char *format, va_list arguments) noexcept {
        message *self = static_cast<message *>(__clew_new_object(sizeof(message)));
        self->text = format;
        self->has_numbers = true;
        self->name = "";
        if (format[0] == '%' && format[1] == 's') {
            self->name = va_arg(arguments, const char *);
        }
        self->a = va_arg(arguments, size_t);
        self->b = va_arg(arguments, size_t);
        return self;
    }

    MODEL_INLINE const char *get() const noexcept {
        return has_numbers ? put_together() : text;
    }

private:
    static size_t digits(size_t number) noexcept {
        size_t count = 1;
        while (number >= 10) {
            number /= 10;
            count++;
        }
        return count;
    }

    const char *put_together() const noexcept {
        size_t most = model_length(text) + model_length(name) + digits(a) + digits(b) + 1;
        char *const result = static_cast<char *>(__clew_new_object(most));
        char *to = result;
        bool is_first = true;
        for (const char *from = text; *from != '\0'; from++) {
            if (from[0] == '%' && from[1] == 's') {
                for (const char *c = name; *c != '\0'; c++) {
                    *to++ = *c;
                }
                from += 1;
            } else if (from[0] == '%' && from[1] == 'z' && from[2] == 'u') {
                size_t number = is_first ? a : b;
                is_first = false;
                size_t count = digits(number);
                for (size_t i = count; i > 0; i--) {
                    to[i - 1] = static_cast<char>('0' + number % 10);
                    number /= 10;
                }
                to += count;
                from += 2;
            } else {
                *to++ = *from;
            }
        }
        *to = '\0';
        return result;
    }
};

/* Messages are never freed, so that copies of an exception share one. */
#define EXCEPTION_WITH_MESSAGE(class_name)                                                                             \
    class class_name : public exception {                                                                              \
        const message *said;                                                                                           \
                                                                                                                       \
    public:                                                                                                            \
        MODEL_INLINE explicit class_name(const message *said) noexcept : said(said) {}                                 \
        explicit class_name(const string &text);                                                                       \
        explicit class_name(const char *text);                                                                         \
        class_name(const class_name &other) noexcept;                                                                  \
        class_name(class_name &&other) noexcept;                                                                       \
        class_name &operator=(const class_name &other) noexcept;                                                       \
        class_name &operator=(class_name &&other) noexcept;                                                            \
        virtual ~class_name() noexcept;                                                                                \
        virtual const char *what() const noexcept;                                                                     \
    };                                                                                                                 \
    static_assert(sizeof(class_name) == 2 * sizeof(void *), "as in libstdc++");                                        \
    MODEL_INLINE class_name::class_name(const string &text) : said(message::of_copy(text.text)) {}                     \
    MODEL_INLINE class_name::class_name(const char *text) : said(message::of_copy(text)) {}                            \
    MODEL_INLINE class_name::class_name(const class_name &other) noexcept : exception(other), said(other.said) {}      \
    MODEL_INLINE class_name::class_name(class_name &&other) noexcept : exception(other), said(other.said) {}           \
    MODEL_INLINE class_name &class_name::operator=(const class_name &other) noexcept {                                 \
        said = other.said;                                                                                             \
        return *this;                                                                                                  \
    }                                                                                                                  \
    MODEL_INLINE class_name &class_name::operator=(class_name &&other) noexcept {                                      \
        said = other.said;                                                                                             \
        return *this;                                                                                                  \
    }                                                                                                                  \
    class_name::~class_name() noexcept {}                                                                              \
    const char *class_name::what() const noexcept {                                                                    \
        return said->get();                                                                                            \
    }
EXCEPTION_WITH_MESSAGE(logic_error)
EXCEPTION_WITH_MESSAGE(runtime_error)

#define DERIVED_EXCEPTION(class_name, base)                                                                            \
    class class_name : public base {                                                                                   \
    public:                                                                                                            \
        MODEL_INLINE explicit class_name(const message *said) noexcept : base(said) {}                                 \
        explicit class_name(const string &text);                                                                       \
        explicit class_name(const char *text);                                                                         \
        class_name(const class_name &) = default;                                                                      \
        virtual ~class_name() noexcept;                                                                                \
    };                                                                                                                 \
    MODEL_INLINE class_name::class_name(const string &text) : base(text) {}                                            \
    MODEL_INLINE class_name::class_name(const char *text) : base(text) {}                                              \
    class_name::~class_name() noexcept {}
DERIVED_EXCEPTION(domain_error, logic_error)
DERIVED_EXCEPTION(invalid_argument, logic_error)
DERIVED_EXCEPTION(length_error, logic_error)
DERIVED_EXCEPTION(out_of_range, logic_error)
DERIVED_EXCEPTION(overflow_error, runtime_error)
DERIVED_EXCEPTION(range_error, runtime_error)
DERIVED_EXCEPTION(underflow_error, runtime_error)

#define THROW_WITH_FIXED_TEXT(name)                                                                                    \
    MODEL_NORETURN void __throw_##name() {                                                                             \
        throw name();                                                                                                  \
    }
THROW_WITH_FIXED_TEXT(bad_alloc)
THROW_WITH_FIXED_TEXT(bad_array_new_length)
THROW_WITH_FIXED_TEXT(bad_cast)
THROW_WITH_FIXED_TEXT(bad_exception)
THROW_WITH_FIXED_TEXT(bad_function_call)
THROW_WITH_FIXED_TEXT(bad_typeid)

/* The headers call these with literals only. */
#define THROW_WITH_MESSAGE(name)                                                                                       \
    MODEL_NORETURN void __throw_##name(const char *text) {                                                             \
        throw name(message::of_literal(text));                                                                         \
    }
THROW_WITH_MESSAGE(domain_error)
THROW_WITH_MESSAGE(invalid_argument)
THROW_WITH_MESSAGE(length_error)
THROW_WITH_MESSAGE(logic_error)
THROW_WITH_MESSAGE(out_of_range)
THROW_WITH_MESSAGE(overflow_error)
THROW_WITH_MESSAGE(range_error)
THROW_WITH_MESSAGE(runtime_error)
THROW_WITH_MESSAGE(underflow_error)

MODEL_NORETURN void __throw_out_of_range_fmt(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const message *said = message::of_numbers(format, arguments);
    va_end(arguments);
    throw out_of_range(said);
}

namespace regex_constants {
enum error_type : int;
}

MODEL_NORETURN void __throw_regex_error(regex_constants::error_type) {
    __clew_unsupported("std::regex_error");
}
MODEL_NORETURN void __throw_system_error(int) {
    __clew_unsupported("std::system_error");
}
MODEL_NORETURN void __throw_future_error(int) {
    __clew_unsupported("std::future_error");
}
MODEL_NORETURN void __throw_ios_failure(const char *) {
    __clew_unsupported("std::ios_base::failure");
}
MODEL_NORETURN void __throw_ios_failure(const char *, int) {
    __clew_unsupported("std::ios_base::failure");
}

/* Exceptions are not kept for later. */
namespace __exception_ptr {
class exception_ptr {
    void *kept;

    void _M_addref() noexcept;
    void _M_release() noexcept;

public:
    exception_ptr(const exception_ptr &other) noexcept;
    ~exception_ptr() noexcept;
    void swap(exception_ptr &other) noexcept;
};

/* As nothing makes one that is not null, there is nothing to count. */
MODEL_INLINE void exception_ptr::_M_addref() noexcept {}
MODEL_INLINE void exception_ptr::_M_release() noexcept {}
MODEL_INLINE exception_ptr::exception_ptr(const exception_ptr &other) noexcept : kept(other.kept) {}
MODEL_INLINE exception_ptr::~exception_ptr() noexcept {}
MODEL_INLINE void exception_ptr::swap(exception_ptr &other) noexcept {
    void *before = kept;
    kept = other.kept;
    other.kept = before;
}
}

__exception_ptr::exception_ptr current_exception() noexcept {
    __clew_unsupported("std::current_exception");
}
MODEL_NORETURN void rethrow_exception(__exception_ptr::exception_ptr) {
    __clew_unsupported("std::rethrow_exception");
}

}

extern "C" {

MODEL_NORETURN void __cxa_bad_cast() {
    throw std::bad_cast();
}
MODEL_NORETURN void __cxa_bad_typeid() {
    throw std::bad_typeid();
}
MODEL_NORETURN void __cxa_throw_bad_array_new_length() {
    throw std::bad_array_new_length();
}

void *__cxa_current_exception_type() {
    __clew_unsupported("the type of the current exception");
}
void *__cxa_init_primary_exception(void *, void *, void (*)(void *)) {
    __clew_unsupported("std::make_exception_ptr");
}
MODEL_NORETURN void __cxa_call_unexpected(void *) {
    __clew_unsupported("an unexpected exception");
}

}
