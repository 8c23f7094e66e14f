/* A machine with six state variables that reacts to eight events, forever: many abstract states, few variables. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int mode, level, door, alarm_on, lamp, count;

static void react(int event) {
    if (event == 0 && mode == 0) {
        mode = 1;
        lamp = 1;
    } else if (event == 1 && mode == 1 && level < 7) {
        level++;
    } else if (event == 2 && mode == 1 && level > 0) {
        level--;
    } else if (event == 3 && !door) {
        door = 1;
        if (level > 5)
            alarm_on = 1;
    } else if (event == 4 && door && !alarm_on) {
        door = 0;
    } else if (event == 5 && alarm_on) {
        alarm_on = 0;
        level = 0;
    } else if (event == 6 && mode == 1 && !door) {
        mode = 2;
        count = (count + 1) % 5;
    } else if (event == 7 && mode == 2) {
        mode = 0;
        lamp = 0;
    }
}

int main(void) {
    for (;;) {
        react(__VERIFIER_nondet_uchar() % 8);
        assert(!(alarm_on && !door));
        assert(mode != 0 || !lamp);
        assert(level >= 0 && level <= 7 && count < 5);
    }
}
