// Virtual calls, multiple inheritance, virtual bases, casts along the hierarchy.
#include "check.h"
#include <typeinfo>

static unsigned trail;

struct Shape {
    virtual ~Shape() { trail = trail * 7 + 1; }
    virtual int area() const = 0;
    virtual int scaled(int k) const { return area() * k; }
    int tag = 3;
};
struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    ~Square() override { trail = trail * 7 + 2; }
    int area() const override { return side * side; }
};
struct Box final : Square {
    int height;
    Box(int side, int height) : Square(side), height(height) { tag = 9; }
    ~Box() override { trail = trail * 7 + 3; }
    int area() const override { return Square::area() + side * height; }
    int scaled(int k) const override { return Square::scaled(k) + 1; }
};

// Two bases with state and virtual functions each.
struct Reader { long pad = 11; virtual int read() { return 1; } virtual ~Reader() {} };
struct Writer { int written = 0; virtual void write(int x) { written += x; } virtual ~Writer() {} };
struct File : Reader, Writer {
    int position = 100;
    int read() override { return position += written; }
    void write(int x) override { Writer::write(x * 2), position++; }
};

// The diamond.
struct Base { int value = 5; virtual int who() { return 1; } virtual ~Base() = default; };
struct Left : virtual Base { int left = 1; int who() override { return value + 10; } };
struct Right : virtual Base { int right = 2; virtual int other() { return value; } };
struct Bottom : Left, Right {
    Bottom(int v) { value = v; }
    int who() override { return Left::who() + right; }
    int other() override { return Right::other() * 2 + left; }
};

// A virtual call in a constructor sees the part that is there.
struct Early { int seen; Early() { seen = kind(); } virtual int kind() { return 1; } virtual ~Early() {} };
struct Late : Early { int kind() override { return 2; } };

struct Clone { virtual Clone *copy() const { return new Clone(*this); } virtual int id() const { return 1; } virtual ~Clone() {} };
struct Clone2 : Clone { int extra = 7; Clone2 *copy() const override { return new Clone2(*this); } int id() const override { return extra; } };

static int use(Writer *w, Reader &r, int x) {
    w->write(x);
    return r.read();
}

int main() {
    int n = static_cast<int>(input() & 0xFFF);
    Shape *shapes[3] = {new Square(n & 15), new Box(3, n & 7), n & 1 ? static_cast<Shape *>(new Square(2)) : new Box(1, 1)};
    for (Shape *s : shapes) {
        result(static_cast<unsigned>(s->area())), result(static_cast<unsigned>(s->scaled(3) + s->tag));
        if (Box *b = dynamic_cast<Box *>(s))
            result(static_cast<unsigned>(b->height + 1000));
        result(typeid(*s) == typeid(Square));
        delete s;
    }
    result(trail);
    File f;
    result(static_cast<unsigned>(use(&f, f, n)));
    Writer *w = &f;
    result(static_cast<unsigned>(static_cast<File *>(w)->position)), result(w == &f), result(reinterpret_cast<char *>(w) != reinterpret_cast<char *>(static_cast<Reader *>(&f)));
    result(dynamic_cast<Reader *>(w) == static_cast<Reader *>(&f));
    Bottom b(n);
    Base &base = b;
    Left &left = b;
    Right *right = &b;
    result(static_cast<unsigned>(base.who())), result(static_cast<unsigned>(left.who())), result(static_cast<unsigned>(right->other()));
    left.value++;
    result(static_cast<unsigned>(right->value + b.value)), result(&left.value == &right->value);
    result(dynamic_cast<Bottom *>(&base) == &b), result(dynamic_cast<Right *>(&left) == right);
    Late late;
    Early *early = &late;
    result(static_cast<unsigned>(late.seen * 10 + early->kind()));
    Clone2 c;
    c.extra = n;
    const Clone &view = c;
    Clone *copy = view.copy();
    result(static_cast<unsigned>(copy->id()));
    delete copy;
    int (Shape::*area)() const = &Shape::area;
    Box box(2, n & 3);
    result(static_cast<unsigned>((box.*area)()));
}
