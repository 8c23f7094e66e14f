/* A number survives %d of stb_sprintf and being parsed again. */
#include "harness.h"
#define STB_SPRINTF_IMPLEMENTATION
#define STB_SPRINTF_NOFLOAT
#include "libstb/stb_sprintf.h"

int main(void) {
    char text[16];
    short number = (short)__VERIFIER_nondet_ushort();
    int length = stbsp_sprintf(text, "%d", number), again = 0;
    claim(length >= 1 && length <= 6);
    for (int i = text[0] == '-'; i < length; i++)
        again = again * 10 + (text[i] - '0');
    claim((text[0] == '-' ? -again : again) == number);
}
