// expect: value UNSAFE, value-full UNSAFE
// truth: unsafe
// flags: --assume-any read_sensor
// A device may return anything, so its value is an input.
#include <assert.h>

int read_sensor(int channel);

int main(void) {
    int first = read_sensor(1);
    int second = read_sensor(2);
    assert(first != second + 1);
    return 0;
}
