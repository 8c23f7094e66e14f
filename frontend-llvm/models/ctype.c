/* ctype.h in the C locale: the functions, and the tables that glibc's macros read. */
#include "model.h"

/* glibc's bits of a class on a little-endian machine; its functions return them, too. */
enum {
    UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400, DIGIT = 0x800, XDIGIT = 0x1000, SPACE = 0x2000,
    PRINT = 0x4000, GRAPH = 0x8000, BLANK = 0x1, CNTRL = 0x2, PUNCT = 0x4, ALNUM = 0x8,
    /* The sets of classes that occur. */
    Z = CNTRL, T = CNTRL | SPACE | BLANK, W = CNTRL | SPACE, S = SPACE | BLANK | PRINT, P = PRINT | GRAPH | PUNCT,
    D = PRINT | GRAPH | ALNUM | DIGIT | XDIGIT, H = PRINT | GRAPH | ALNUM | ALPHA | UPPER | XDIGIT,
    U = PRINT | GRAPH | ALNUM | ALPHA | UPPER, h = PRINT | GRAPH | ALNUM | ALPHA | LOWER | XDIGIT,
    L = PRINT | GRAPH | ALNUM | ALPHA | LOWER,
};

MODEL_INLINE int isdigit(int c) {
    return model_is_digit(c) ? DIGIT : 0;
}

MODEL_INLINE int isupper(int c) {
    return model_is_upper(c) ? UPPER : 0;
}

MODEL_INLINE int islower(int c) {
    return model_is_lower(c) ? LOWER : 0;
}

MODEL_INLINE int isalpha(int c) {
    return (model_is_upper(c) || model_is_lower(c)) ? ALPHA : 0;
}

MODEL_INLINE int isalnum(int c) {
    return (model_is_upper(c) || model_is_lower(c) || model_is_digit(c)) ? ALNUM : 0;
}

MODEL_INLINE int isxdigit(int c) {
    return (model_is_digit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F')) ? XDIGIT : 0;
}

MODEL_INLINE int isspace(int c) {
    return model_is_space(c) ? SPACE : 0;
}

MODEL_INLINE int isblank(int c) {
    return (c == ' ' || c == '\t') ? BLANK : 0;
}

MODEL_INLINE int iscntrl(int c) {
    return ((0 <= c && c < 32) || c == 127) ? CNTRL : 0;
}

MODEL_INLINE int isprint(int c) {
    return (32 <= c && c < 127) ? PRINT : 0;
}

MODEL_INLINE int isgraph(int c) {
    return (32 < c && c < 127) ? GRAPH : 0;
}

MODEL_INLINE int ispunct(int c) {
    return (32 < c && c < 127 && !model_is_upper(c) && !model_is_lower(c) && !model_is_digit(c)) ? PUNCT : 0;
}

MODEL_INLINE int isascii(int c) {
    return 0 <= c && c <= 127;
}

MODEL_INLINE int toascii(int c) {
    return c & 127;
}

MODEL_INLINE int tolower(int c) {
    return model_to_lower(c);
}

MODEL_INLINE int toupper(int c) {
    return model_to_upper(c);
}

MODEL_INLINE int _tolower(int c) {
    return model_to_lower(c);
}

MODEL_INLINE int _toupper(int c) {
    return model_to_upper(c);
}

/* The tables go from -128 to 255, so that a negative char and EOF are legal too; beyond ASCII there is no class. */
static const unsigned short classes[384] = {
    [128] = Z, Z, Z, Z, Z, Z, Z, Z, Z, T, W, W, W, W, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z,
    [160] = S, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, D, D, D, D, D, D, D, D, D, D, P, P, P, P, P, P,
    [192] = P, H, H, H, H, H, H, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, P, P, P, P, P,
    [224] = P, h, h, h, h, h, h, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, P, P, P, P, Z,
};

static const int to_lower[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95,
    96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const int to_upper[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
    96, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const unsigned short *classes_from_0 = classes + 128;
static const int *to_lower_from_0 = to_lower + 128;
static const int *to_upper_from_0 = to_upper + 128;

const unsigned short **__ctype_b_loc(void) {
    return &classes_from_0;
}

const int **__ctype_tolower_loc(void) {
    return &to_lower_from_0;
}

const int **__ctype_toupper_loc(void) {
    return &to_upper_from_0;
}

size_t __ctype_get_mb_cur_max(void) {
    return 1;
}
