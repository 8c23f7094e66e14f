// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// A stack of any type, a function of any callable, and numbers that templates compute.
#include <cassert>
template <typename T, int N> class Stack {
  public:
    bool push(const T &value) {
        if (size == N)
            return false;
        items[size++] = value;
        return true;
    }
    T pop() { return items[--size]; }
    int size = 0;

  private:
    T items[N];
};
template <int N> struct Factorial {
    static const int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static const int value = 1;
};
template <typename F> int apply(F f, int times) {
    int x = 0;
    while (times-- > 0)
        x = f(x);
    return x;
}
int main() {
    Stack<long, 2> stack;
    assert(stack.push(5) && stack.push(Factorial<4>::value) && !stack.push(1));
    assert(stack.pop() == 24 && stack.pop() == 5 && stack.size == 0);
    int step = 3;
    assert(apply([step](int x) { return x + step; }, 4) == 12);
}
