// Static initialisers that run code before main, local statics, and destructors after it, in the right order.
#include "check.h"
#include <cstdlib>

static unsigned trail = 1;

struct Tracer {
    unsigned id;
    explicit Tracer(unsigned id) : id(id) { trail = trail * 10 + id; }
    ~Tracer() { result(900 + id); }
};

static int computed(int x) { return x * static_cast<int>(trail); }
static Tracer first(1);
static const int dynamic = computed(3);
static Tracer second(2);
namespace {
int table[4] = {dynamic, dynamic + 1, computed(2)};
struct Holder { static Tracer inside; };
Tracer Holder::inside(3);
}
static int &reference = table[2];
inline Tracer shared_one(4);
static Tracer array[2] = {Tracer(5), Tracer(6)};

static Tracer &local(unsigned id) {
    static Tracer tracer(id);
    return tracer;
}
static void handler() { result(800); }

int main() {
    unsigned n = input();
    result(trail), result(static_cast<unsigned>(dynamic)), result(static_cast<unsigned>(table[1]));
    reference = static_cast<int>(n);
    result(static_cast<unsigned>(table[2]));
    if (n & 1)
        local(7);
    std::atexit(handler);
    result(local(8).id), result(trail);
    Tracer in_main(9);
    if (n % 5 == 0)
        std::exit(0);
}
