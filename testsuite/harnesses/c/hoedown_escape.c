/* Escaped text has no angle bracket, and is at least as long as the text. */
#include "harness.h"
#include "hoedown/libhoedown/src/buffer.c"
#include "hoedown/libhoedown/src/escape.c"

int main(void) {
    uint8_t text[2];
    any_bytes(text, sizeof text);
    hoedown_buffer *out = hoedown_buffer_new(16);
    hoedown_escape_html(out, text, sizeof text, 0);
    claim(out->size >= 2 && out->size <= 12);
    for (size_t i = 0; i < out->size; i++)
        claim(out->data[i] != '<' && out->data[i] != '>');
    hoedown_buffer_free(out);
}
