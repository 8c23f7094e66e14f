/* False: two characters can be an array. */
#include "harness.h"
#include "cjson/cJSON.c"

int main(void) {
    char text[3];
    any_text(text, 2);
    cJSON *value = cJSON_Parse(text);
    claim(!value || !cJSON_IsArray(value));
}
