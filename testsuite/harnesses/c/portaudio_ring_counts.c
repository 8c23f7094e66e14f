/* However reads and writes alternate, the buffer never holds more than it has room for. */
#include "harness.h"
#include "portaudio19/src/common/pa_ringbuffer.c"

int main(void) {
    unsigned char space[8], bytes[8] = {0};
    PaUtilRingBuffer ring;
    PaUtil_InitializeRingBuffer(&ring, 1, sizeof space, space);
    int held = 0;
    for (int i = 0; i < 4; i++) {
        unsigned count = any_below(9);
        held += (int)PaUtil_WriteRingBuffer(&ring, bytes, count);
        held -= (int)PaUtil_ReadRingBuffer(&ring, bytes, any_below(9));
        claim(held >= 0 && held <= 8 && PaUtil_GetRingBufferReadAvailable(&ring) == held);
    }
}
