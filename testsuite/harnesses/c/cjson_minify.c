/* Minifying does not lengthen a text, and leaves no blank outside of strings. */
#include "harness.h"
#include "cjson/cJSON.c"

int main(void) {
    char text[5];
    any_text(text, 4);
    size_t before = strlen(text);
    int has_quote = strchr(text, '"') != NULL;
    cJSON_Minify(text);
    claim(strlen(text) <= before);
    claim(has_quote || strchr(text, ' ') == NULL);
}
