// expect: value SAFE, value-full SAFE, predicate SAFE
// truth: safe
// Virtual functions, a destructor among them, on objects whose class an input decides.
extern "C" void reach_error(void);
extern "C" bool __VERIFIER_nondet_bool(void);
static int alive = 0;
struct Shape {
    Shape() { alive++; }
    virtual ~Shape() { alive--; }
    virtual int corners() const = 0;
};
struct Triangle : Shape {
    int corners() const override { return 3; }
};
struct Square : Shape {
    int corners() const override { return 4; }
};
int main() {
    Shape *shape = __VERIFIER_nondet_bool() ? static_cast<Shape *>(new Square) : new Triangle;
    int corners = shape->corners();
    if (corners != 3 && corners != 4)
        reach_error();
    delete shape;
    if (alive != 0)
        reach_error();
}
