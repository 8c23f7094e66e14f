// A tree of expressions with virtual nodes, a visitor, and errors as exceptions.
#include "check.h"

struct DivisionByZero { int left; };

struct Visitor;
struct Node {
    virtual ~Node() = default;
    virtual int evaluate(const int *variables) const = 0;
    virtual void accept(Visitor &v) const = 0;
};
struct Number; struct Variable; struct Binary;
struct Visitor {
    virtual ~Visitor() = default;
    virtual void number(const Number &) = 0;
    virtual void variable(const Variable &) = 0;
    virtual void binary(const Binary &) = 0;
};
struct Number : Node {
    int value;
    explicit Number(int value) : value(value) {}
    int evaluate(const int *) const override { return value; }
    void accept(Visitor &v) const override { v.number(*this); }
};
struct Variable : Node {
    unsigned index;
    explicit Variable(unsigned index) : index(index) {}
    int evaluate(const int *variables) const override { return variables[index]; }
    void accept(Visitor &v) const override { v.variable(*this); }
};
struct Binary : Node {
    char op;
    Node *left, *right;
    Binary(char op, Node *left, Node *right) : op(op), left(left), right(right) {}
    Binary(const Binary &) = delete;
    ~Binary() override { delete left; delete right; }
    int evaluate(const int *variables) const override {
        int a = left->evaluate(variables), b = right->evaluate(variables);
        switch (op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        default:
            if (b == 0)
                throw DivisionByZero{a};
            return b == -1 ? -a : a / b;
        }
    }
    void accept(Visitor &v) const override { v.binary(*this); }
};

struct Hasher : Visitor {
    unsigned hash = 1;
    void number(const Number &n) override { hash = hash * 31 + static_cast<unsigned>(n.value); }
    void variable(const Variable &v) override { hash = hash * 37 + v.index; }
    void binary(const Binary &b) override {
        b.left->accept(*this);
        hash ^= static_cast<unsigned char>(b.op);
        b.right->accept(*this);
    }
};

static unsigned state;
static Node *random_tree(int depth) {
    state = state * 1103515245u + 12345u;
    unsigned r = state >> 16;
    if (depth == 0 || r % 5 == 0)
        return r & 1 ? static_cast<Node *>(new Number(static_cast<int>(r % 10))) : new Variable(r / 2 % 3);
    Node *left = random_tree(depth - 1);
    return new Binary("+-*/"[r % 4], left, random_tree(depth - 1));
}

int main() {
    state = input();
    int variables[3] = {static_cast<int>(input() & 0xFF), 2, 0};
    for (int i = 0; i < 4; i++) {
        Node *tree = random_tree(3);
        Hasher h;
        tree->accept(h);
        result(h.hash);
        try {
            result(static_cast<unsigned>(tree->evaluate(variables)));
        } catch (const DivisionByZero &e) {
            result(static_cast<unsigned>(e.left) + 77777);
        }
        delete tree;
    }
}
