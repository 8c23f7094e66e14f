// truth: safe
#include <cassert>
#include <iostream>
#include <memory>
#include <vector>

class Shape {
public:
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
class Square : public Shape {
public:
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }

private:
    int side;
};
class Box : public Shape {
public:
    Box(int w, int h) : width(w), height(h) {}
    int area() const override { return width * height; }

private:
    int width, height;
};

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>(3));
    shapes.push_back(std::make_unique<Box>(2, 5));
    int total = 0;
    for (const auto &shape : shapes) {
        std::cout << shape->area() << '\n';
        total += shape->area();
    }
    assert(total == 19);
}
