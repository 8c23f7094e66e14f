/* False: the code of two bytes can contain a plus sign. */
#include "harness.h"
#include "libb64/include/b64/cencode.h"
#include "libb64/src/cencode.c"

int main(void) {
    char bytes[2], code[16];
    base64_encodestate encoder;
    any_bytes(bytes, sizeof bytes);
    base64_init_encodestate(&encoder);
    int length = base64_encode_block(bytes, sizeof bytes, code, &encoder);
    for (int i = 0; i < length; i++)
        claim(code[i] != '+');
}
