/* Three bytes survive base64. */
#include "harness.h"
#include "libb64/include/b64/cencode.h"
#include "libb64/include/b64/cdecode.h"
#include "libb64/src/cencode.c"
#include "libb64/src/cdecode.c"

int main(void) {
    char bytes[3], code[16], again[16];
    base64_encodestate encoder;
    base64_decodestate decoder;
    any_bytes(bytes, sizeof bytes);
    base64_init_encodestate(&encoder);
    int length = base64_encode_block(bytes, sizeof bytes, code, &encoder);
    length += base64_encode_blockend(code + length, &encoder);
    base64_init_decodestate(&decoder);
    claim(base64_decode_block(code, length, again, &decoder) == 3);
    claim(again[0] == bytes[0] && again[1] == bytes[1] && again[2] == bytes[2]);
}
