/* False: three bytes can encode a number that two bytes could have held. */
#include "harness.h"
#include "nanopb/pb_common.c"
#include "nanopb/pb_decode.c"

int main(void) {
    pb_byte_t bytes[3];
    uint32_t number;
    any_bytes(bytes, sizeof bytes);
    pb_istream_t input = pb_istream_from_buffer(bytes, sizeof bytes);
    if (pb_decode_varint32(&input, &number) && input.bytes_left == 0)
        claim(number >= 1 << 14);
}
