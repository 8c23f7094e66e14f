/* A number survives being written and read as a varint. */
#include "harness.h"
#include "nanopb/pb_common.c"
#include "nanopb/pb_encode.c"
#include "nanopb/pb_decode.c"

int main(void) {
    pb_byte_t buffer[10];
    uint64_t number = __VERIFIER_nondet_uint(), again;
    pb_ostream_t output = pb_ostream_from_buffer(buffer, sizeof buffer);
    claim(pb_encode_varint(&output, number));
    claim(output.bytes_written <= 5);
    pb_istream_t input = pb_istream_from_buffer(buffer, output.bytes_written);
    claim(pb_decode_varint(&input, &again));
    claim(again == number && input.bytes_left == 0);
}
