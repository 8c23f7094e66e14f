/* False: a host and a port can be parsed with three unknown characters. */
#include "harness.h"
#include "http-parser/http_parser.c"

int main(void) {
    char url[4];
    struct http_parser_url fields;
    any_bytes(url, 3);
    http_parser_url_init(&fields);
    if (http_parser_parse_url(url, 3, 1, &fields) == 0)
        claim(fields.port != 7);
}
