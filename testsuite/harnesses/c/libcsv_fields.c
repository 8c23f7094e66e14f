/* Four characters have at most five fields, and no field is longer than the text. */
#include "harness.h"
#include "libcsv/libcsv.c"

static int fields;

static void field(void *text, size_t length, void *data) {
    (void)text;
    (void)data;
    claim(length <= 4);
    fields++;
}

int main(void) {
    struct csv_parser parser;
    char text[4];
    any_bytes(text, sizeof text);
    fields = 0;
    csv_init(&parser, 0);
    csv_parse(&parser, text, sizeof text, field, NULL, NULL);
    csv_fini(&parser, field, NULL, NULL);
    csv_free(&parser);
    claim(fields <= 5);
}
