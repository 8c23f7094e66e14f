/* Decoding chunks never lengthens the data. */
#include "harness.h"
#include "picohttpparser/deps/picohttpparser/picohttpparser.c"

int main(void) {
    char bytes[6];
    size_t length = sizeof bytes;
    struct phr_chunked_decoder decoder = {0};
    any_bytes(bytes, sizeof bytes);
    ssize_t rest = phr_decode_chunked(&decoder, bytes, &length);
    claim(rest >= -2 && rest <= 6);
    if (rest != -1)
        claim(length <= 6);
}
