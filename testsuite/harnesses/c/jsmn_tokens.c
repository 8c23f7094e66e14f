/* The tokens of four unknown characters lie within the text. */
#include "harness.h"
#include "jsmn/jsmn.h"

int main(void) {
    char text[4];
    jsmntok_t tokens[4];
    jsmn_parser parser;
    any_bytes(text, sizeof text);
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, sizeof text, tokens, 4);
    claim(count <= 4);
    for (int i = 0; i < count; i++)
        claim(tokens[i].start >= 0 && tokens[i].start <= tokens[i].end && tokens[i].end <= 4);
}
