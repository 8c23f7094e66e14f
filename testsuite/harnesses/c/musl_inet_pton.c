/* Four numbers of one digit are an address; nothing shorter than seven characters is. */
#include "harness.h"
#define hexval hex_value
#include "musl/src/network/inet_pton.c"

int main(void) {
    char text[8];
    unsigned char address[4];
    any_text(text, 7);
    int result = inet_pton(AF_INET, text, address);
    claim(result == 0 || result == 1);
    if (result == 1)
        claim(strlen(text) == 7 && address[0] <= 9 && address[3] == text[6] - '0');
}
