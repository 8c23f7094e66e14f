/* A number of 16 bits survives being formatted by sds and parsed again. */
#include "harness.h"
#include "hiredis/sds.c"

int main(void) {
    char text[32];
    short number = (short)__VERIFIER_nondet_ushort();
    int length = sdsll2str(text, number), again = 0;
    claim(length >= 1 && length <= 6 && text[length] == 0);
    for (int i = text[0] == '-'; i < length; i++)
        again = again * 10 + (text[i] - '0');
    claim((text[0] == '-' ? -again : again) == number);
}
