/* Inputs that nobody looks at still take their turn. */
#include "check.h"

int main(void) {
    input();
    unsigned second = input();
    (void)input();
    result(second);
    result(input());
    return 0;
}
