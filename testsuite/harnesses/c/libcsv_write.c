/* A field as CSV is at most twice as long, and two quotes more. */
#include "harness.h"
#include "libcsv/libcsv.c"

int main(void) {
    char text[3], out[8];
    any_bytes(text, sizeof text);
    size_t length = csv_write(out, sizeof out, text, sizeof text);
    claim(length >= 5 && length <= 8);
    claim(out[0] == '"' && out[length - 1] == '"');
}
