// expect: value SAFE, value-full SAFE, predicate SAFE
// truth: safe
// A protocol that runs for ever: it never sends before it is connected.
extern void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);
enum state { CLOSED, OPENING, CONNECTED, CLOSING };
static enum state state = CLOSED;
static int connected = 0;
static void step(unsigned char event) {
    switch (state) {
    case CLOSED:
        if (event == 1)
            state = OPENING;
        break;
    case OPENING:
        if (event == 2) {
            state = CONNECTED;
            connected = 1;
        } else if (event == 3)
            state = CLOSED;
        break;
    case CONNECTED:
        if (event == 4) {
            if (!connected)
                reach_error();
        } else if (event == 5)
            state = CLOSING;
        break;
    case CLOSING:
        connected = 0;
        state = CLOSED;
        break;
    }
}
int main(void) {
    while (1)
        step(__VERIFIER_nondet_uchar());
}
