/* The fields of a URL lie within it. */
#include "harness.h"
#include "http-parser/http_parser.c"

int main(void) {
    char url[6] = "/";
    struct http_parser_url fields;
    any_bytes(url + 1, 4);
    http_parser_url_init(&fields);
    if (http_parser_parse_url(url, 5, 0, &fields) == 0)
        for (int i = 0; i < UF_MAX; i++)
            if (fields.field_set & (1 << i))
                claim(fields.field_data[i].off + fields.field_data[i].len <= 5);
}
