/* A ring of three keeps the last three of five numbers, oldest first. */
#include "harness.h"
#include "uthash/src/utringbuffer.h"

int main(void) {
    static const UT_icd numbers = {sizeof(int), NULL, NULL, NULL};
    int pushed[5];
    UT_ringbuffer ring;
    utringbuffer_init(&ring, 3, &numbers);
    for (int i = 0; i < 5; i++) {
        pushed[i] = __VERIFIER_nondet_int();
        utringbuffer_push_back(&ring, &pushed[i]);
    }
    claim(utringbuffer_len(&ring) == 3);
    for (unsigned i = 0; i < 3; i++)
        claim(*(int *)utringbuffer_eltptr(&ring, i) == pushed[i + 2]);
    utringbuffer_done(&ring);
}
