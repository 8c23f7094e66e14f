/* One character between brackets makes at most one element. */
#include "harness.h"
#include "cjson/cJSON.c"

int main(void) {
    char text[4] = "[ ]";
    text[1] = (char)__VERIFIER_nondet_uchar();
    cJSON *array = cJSON_Parse(text);
    if (array) {
        claim(cJSON_IsArray(array));
        claim(cJSON_GetArraySize(array) <= 1);
        cJSON_Delete(array);
    }
}
