// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// States as functions that return the next state.
#include <assert.h>
typedef struct machine machine;
struct machine {
    void (*state)(machine *);
    int steps;
};
static void stopped(machine *m) { (void)m; }
static void second(machine *m) {
    m->steps += 10;
    m->state = stopped;
}
static void first(machine *m) {
    m->steps += 1;
    m->state = second;
}
int main(void) {
    machine m = {first, 0};
    while (m.state != stopped)
        m.state(&m);
    assert(m.steps == 11);
    return 0;
}
