// expect: value SAFE, value-full SAFE
// truth: safe
// A jump from a virtual function past a handler of exceptions, which does not see it.
#include <cassert>
#include <csetjmp>

static std::jmp_buf target;

struct Task {
    virtual void run(int n) = 0;
};

struct Limited : Task {
    void run(int n) override {
        if (n > 2)
            std::longjmp(target, n);
    }
};

static void guarded(Task &task, int n) {
    try {
        task.run(n);
    } catch (...) {
        assert(false);
    }
}

int main() {
    Limited task;
    volatile int sum = 0;
    int code = setjmp(target);
    if (code == 0) {
        for (int i = 0; i < 5; i++) {
            sum += i;
            guarded(task, i);
        }
    }
    assert(code == 3 && sum == 6);
}
