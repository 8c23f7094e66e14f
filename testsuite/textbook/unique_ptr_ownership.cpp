// truth: safe
#include <cassert>
#include <iostream>
#include <memory>

struct Widget {
    static int alive;
    int id;
    explicit Widget(int i) : id(i) { alive++; }
    ~Widget() { alive--; }
};
int Widget::alive = 0;

int main() {
    {
        std::unique_ptr<Widget> a = std::make_unique<Widget>(7);
        std::unique_ptr<Widget> b = std::move(a);
        assert(!a && b->id == 7);
        std::cout << "widget " << b->id << '\n';
        assert(Widget::alive == 1);
    }
    assert(Widget::alive == 0);
}
