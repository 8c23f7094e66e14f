/* False: %x makes letters too. */
#include "harness.h"
#define STB_SPRINTF_IMPLEMENTATION
#define STB_SPRINTF_NOFLOAT
#include "libstb/stb_sprintf.h"

int main(void) {
    char text[16];
    int length = stbsp_sprintf(text, "%x", __VERIFIER_nondet_ushort());
    for (int i = 0; i < length; i++)
        claim(text[i] <= '9');
}
