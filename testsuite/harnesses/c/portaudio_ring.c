/* What is written to PortAudio's ring buffer is read in the same order, and nothing is lost. */
#include "harness.h"
#include "portaudio19/src/common/pa_ringbuffer.c"

int main(void) {
    unsigned char space[4], bytes[3], again[3];
    PaUtilRingBuffer ring;
    PaUtil_InitializeRingBuffer(&ring, 1, sizeof space, space);
    unsigned offset = any_below(4);
    any_bytes(bytes, sizeof bytes);
    PaUtil_AdvanceRingBufferWriteIndex(&ring, offset);
    PaUtil_AdvanceRingBufferReadIndex(&ring, offset);
    claim(PaUtil_WriteRingBuffer(&ring, bytes, 3) == 3);
    claim(PaUtil_GetRingBufferReadAvailable(&ring) == 3);
    claim(PaUtil_ReadRingBuffer(&ring, again, 3) == 3);
    for (int i = 0; i < 3; i++)
        claim(again[i] == bytes[i]);
}
