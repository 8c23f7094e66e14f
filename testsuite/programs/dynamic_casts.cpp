// dynamic_cast: down, across, to nothing and by reference, with multiple, virtual, private and ambiguous bases.
#include "check.h"
#include <typeinfo>

struct Base {
    int base = 1;
    virtual ~Base() {}
};
struct Left : Base {
    int left = 2;
};
struct Right : Base {
    int right = 3;
};
struct Leaf : Left {
    int leaf = 4;
};

struct Other {
    int other = 5;
    virtual ~Other() {}
};
struct Both : Left, Other {
    int both = 6;
};
struct Hiding : Left, private Other {
    Other *hidden() { return this; }
};

struct Twice : Left, Right {
    int twice = 7;
};

struct VLeft : virtual Base {
    int vleft = 8;
};
struct VRight : virtual Base {
    int vright = 9;
};
struct Diamond : VLeft, VRight {
    int diamond = 10;
};

static int down() {
    Leaf leaf;
    Base *b = &leaf;
    if (dynamic_cast<Leaf *>(b) != &leaf || dynamic_cast<Left *>(b) != &leaf) return 1;
    if (dynamic_cast<Right *>(b) != nullptr || dynamic_cast<Other *>(b) != nullptr) return 2;
    Base *none = nullptr;
    if (dynamic_cast<Leaf *>(none) != nullptr) return 3;
    Left left;
    b = &left;
    return dynamic_cast<Leaf *>(b) == nullptr ? 0 : 4;
}

static int across() {
    Both both;
    Other *o = &both;
    if (dynamic_cast<Both *>(o) != &both || dynamic_cast<Left *>(o) != &both) return 1;
    if (dynamic_cast<Base *>(o)->base != 1) return 2;
    Base *b = &both;
    if (dynamic_cast<Other *>(b) != o || dynamic_cast<Other *>(b)->other != 5) return 3;
    if (dynamic_cast<void *>(o) != &both) return 4;
    Hiding hiding;
    b = &hiding;
    if (dynamic_cast<Other *>(b) != nullptr) return 5;
    o = hiding.hidden();
    if (dynamic_cast<Hiding *>(o) != nullptr || dynamic_cast<Left *>(o) != nullptr) return 6;
    return 0;
}

static int ambiguous() {
    Twice twice;
    Base *b = static_cast<Left *>(&twice);
    if (dynamic_cast<Twice *>(b) != &twice || dynamic_cast<Right *>(b) != &twice) return 1;
    Left *l = &twice;
    Other *o = dynamic_cast<Other *>(l);
    return o == nullptr && dynamic_cast<Right *>(l)->right == 3 ? 0 : 2;
}

static int virtual_bases() {
    Diamond diamond;
    Base *b = &diamond;
    if (dynamic_cast<Diamond *>(b) != &diamond || dynamic_cast<Diamond *>(b)->diamond != 10) return 1;
    if (dynamic_cast<VLeft *>(b)->vleft != 8 || dynamic_cast<VRight *>(b)->vright != 9) return 2;
    VLeft *l = &diamond;
    if (dynamic_cast<VRight *>(l) != &diamond) return 3;
    return dynamic_cast<Left *>(b) == nullptr ? 0 : 4;
}

static int references() {
    Left left;
    Base &b = left;
    if (dynamic_cast<Left &>(b).left != 2) return 1;
    try {
        return dynamic_cast<Right &>(b).right;
    } catch (std::bad_cast &) {
    }
    Base *none = nullptr;
    try {
        return typeid(*none) == typeid(Base) ? 2 : 3;
    } catch (std::bad_typeid &) {
    }
    return typeid(b) == typeid(Left) && typeid(b) != typeid(Base) ? 0 : 4;
}

static int checks() {
    if (down() != 0) return 1;
    if (across() != 0) return 2;
    if (ambiguous() != 0) return 3;
    if (virtual_bases() != 0) return 4;
    if (references() != 0) return 5;
    return 0;
}

int main() {
    result(checks());
    return 0;
}
