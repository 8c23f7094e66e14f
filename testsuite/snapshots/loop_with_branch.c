// The shape of example 2.1 of paper 002: a loop with a branch in it.
int main(void) {
    int step = 1;
    int hits = 0;
    while (step < 10) {
        if (step % 3 == 0) {
            hits++;
        }
        step++;
    }
    return hits;
}
