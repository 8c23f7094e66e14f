/* C++: dynamic_cast, by the descriptions of classes that the Itanium ABI lays down. */
#include "model.h"

extern "C" {

/* A description starts with its kind, which is where the vtable of the kind has its first function. A class without
 * bases has no more; one with a single public base at its start, the description of that; any other, an array. */
struct type {
    void *const *kind;
    const char *name;
};

struct single {
    struct type type;
    const struct type *base;
};

struct base {
    const struct type *type;
    long offset_and_flags;
};

struct several {
    struct type type;
    unsigned flags;
    unsigned count;
    struct base bases[];
};

enum { IS_VIRTUAL = 1, IS_PUBLIC = 2, OFFSET_SHIFT = 8 };

extern void *const _ZTVN10__cxxabiv120__si_class_type_infoE[];
extern void *const _ZTVN10__cxxabiv121__vmi_class_type_infoE[];

static inline MODEL_INLINE MODEL_NOTHROW bool is_single(const struct type *type) {
    return type->kind == _ZTVN10__cxxabiv120__si_class_type_infoE + 2;
}

static inline MODEL_INLINE MODEL_NOTHROW bool is_several(const struct type *type) {
    return type->kind == _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2;
}

/* What of the target's class was found; places are distances from the object that is cast. */
struct found {
    bool any;
    bool ambiguous;
    bool is_public;
    ptrdiff_t at;
};

static inline MODEL_INLINE MODEL_NOTHROW void find(struct found *found, ptrdiff_t at, bool is_public) {
    if (found->any && found->at != at) {
        found->ambiguous = true;
    }
    found->is_public = (found->any && found->is_public) || is_public;
    found->any = true;
    found->at = at;
}

static inline MODEL_INLINE MODEL_NOTHROW const char *vtable_of(const char *object) {
    return *(const char *const *)object;
}

/* How many bases may wait to be looked at; a class in a tree of them waits for its turn. */
#define MOST_WAITING 64

/* `from` is the object, of class `source` as far as the caller knows; the result is the `target` that it belongs to, or
 * null. `hint` is how far a source lies in a target if that is fixed, else negative. Copied into each caller, since the
 * objects that are cast have nothing to do with each other. */
MODEL_INLINE MODEL_NOTHROW void *__dynamic_cast(const void *from, const struct type *source, const struct type *target,
                                                ptrdiff_t hint) {
    const char *object = static_cast<const char *>(from);
    const char *vtable = vtable_of(object);
    ptrdiff_t whole = ((const ptrdiff_t *)vtable)[-2];
    const struct type *whole_type = ((const struct type *const *)vtable)[-1];
    if (whole_type == target && hint >= 0 && whole == -hint) {
        return (char *)object + whole; /* The most frequent case needs no search. */
    }

    const struct type *types[MOST_WAITING] = {whole_type};
    ptrdiff_t places[MOST_WAITING] = {whole};
    bool public_from_whole[MOST_WAITING] = {true};
    bool is_in_target[MOST_WAITING] = {false};
    ptrdiff_t target_places[MOST_WAITING] = {0};
    bool public_from_target[MOST_WAITING] = {false};
    unsigned waiting = 1;

    struct found targets = {false, false, false, 0};             /* all in the whole object */
    struct found targets_with_source = {false, false, false, 0}; /* those that the object is a base of */
    bool source_is_public = false;
    while (waiting > 0) {
        waiting--;
        const struct type *type = types[waiting];
        ptrdiff_t at = places[waiting];
        bool is_public = public_from_whole[waiting];
        bool in_target = is_in_target[waiting];
        ptrdiff_t target_at = target_places[waiting];
        bool public_in_target = public_from_target[waiting];
        if (type == source && at == 0) {
            source_is_public = source_is_public || is_public;
            if (in_target) {
                find(&targets_with_source, target_at, public_in_target);
            }
            continue; /* A class is no base of itself. */
        }
        if (type == target) {
            find(&targets, at, is_public);
            in_target = true;
            target_at = at;
            public_in_target = true;
        }
        unsigned count = is_single(type) ? 1 : is_several(type) ? ((const struct several *)type)->count : 0;
        if (count > MOST_WAITING - waiting) {
            __clew_unsupported("a dynamic_cast in a large hierarchy");
        }
        for (unsigned i = 0; i < count; i++) {
            const struct type *base;
            ptrdiff_t offset = 0;
            bool base_is_public = true;
            if (is_single(type)) {
                base = ((const struct single *)type)->base;
            } else {
                const struct base *entry = &((const struct several *)type)->bases[i];
                base = entry->type;
                offset = entry->offset_and_flags >> OFFSET_SHIFT;
                base_is_public = (entry->offset_and_flags & IS_PUBLIC) != 0;
                if (entry->offset_and_flags & IS_VIRTUAL) {
                    offset = *(const ptrdiff_t *)(vtable_of(object + at) + offset);
                }
            }
            types[waiting] = base;
            places[waiting] = at + offset;
            public_from_whole[waiting] = is_public && base_is_public;
            is_in_target[waiting] = in_target;
            target_places[waiting] = target_at;
            public_from_target[waiting] = public_in_target && base_is_public;
            waiting++;
        }
    }
    if (targets_with_source.any && !targets_with_source.ambiguous && targets_with_source.is_public) {
        return (char *)object + targets_with_source.at;
    }
    if (source_is_public && targets.any && !targets.ambiguous && targets.is_public) {
        return (char *)object + targets.at;
    }
    return nullptr;
}

}
