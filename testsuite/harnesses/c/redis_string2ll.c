/* What string2ll accepts it formats to the same text. */
#include "harness.h"
#include "redis/src/util.c"

int main(void) {
    char text[3], again[32];
    long long number;
    any_bytes(text, sizeof text);
    if (string2ll(text, sizeof text, &number)) {
        claim(ll2string(again, sizeof again, number) == 3);
        for (int i = 0; i < 3; i++)
            claim(again[i] == text[i]);
    }
}
