/* False: `[1]` has two tokens. */
#include "harness.h"
#include "jsmn/jsmn.h"

int main(void) {
    char text[3];
    jsmntok_t tokens[3];
    jsmn_parser parser;
    any_bytes(text, sizeof text);
    jsmn_init(&parser);
    claim(jsmn_parse(&parser, text, sizeof text, tokens, 3) < 2);
}
