// truth: unsafe
#include <cassert>
#include <variant>

struct Square {
    int side;
};
struct Rectangle {
    int width, height;
};

int area(const std::variant<Square, Rectangle> &shape) {
    if (const Square *s = std::get_if<Square>(&shape)) {
        return s->side * s->side;
    }
    const Rectangle &r = std::get<Rectangle>(shape);
    return r.width + r.height;
}

int main() {
    assert(area(Square{3}) == 9);
    assert(area(Rectangle{2, 5}) == 10);
}
