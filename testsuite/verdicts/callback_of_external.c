// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// An external function may call what it is given.
#include <assert.h>
int hit;
void on(void) { hit = 1; }
void register_callback(void (*callback)(void));
int main(void) {
    register_callback(on);
    assert(hit == 0);
    return 0;
}
