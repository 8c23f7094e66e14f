// expect: value UNKNOWN, value-full UNKNOWN, bmc UNKNOWN
// truth: unsafe
// An external function may call what it finds in the memory that it is given.
#include <assert.h>
struct operations {
    void (*open)(void);
};
int hit;
static void on_open(void) { hit = 1; }
struct device {
    struct operations *operations;
};
void register_device(struct device *);
int main(void) {
    struct operations operations = {on_open};
    struct device device = {&operations};
    register_device(&device);
    assert(hit == 0);
    return 0;
}
