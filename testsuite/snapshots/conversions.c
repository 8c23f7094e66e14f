// Arithmetic and conversions of several widths, shifts, and characters.
int main(int argc, char **argv) {
    unsigned char c = (unsigned char)argc;
    short s = c * 3;
    long l = s;
    unsigned u = (unsigned)l >> 3;
    int shifted = argc >> 2 | argc << 4;
    float f = (float)argc / 3;
    int whole = (int)f;
    c ^= 0x5A;
    return c + s + (int)l + (int)u % 7 + shifted + ~whole;
}
