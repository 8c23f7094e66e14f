/* False: a backslash before the last quote makes the lexer run over the end of the text. */
#include "harness.h"
#define STB_C_LEXER_IMPLEMENTATION
#include "libstb/stb_c_lexer.h"

int main(void) {
    char text[4], store[8];
    stb_lexer lexer;
    any_text(text, 3);
    stb_c_lexer_init(&lexer, text, text + 3, store, sizeof store);
    int count = 0;
    while (stb_c_lexer_get_token(&lexer) && lexer.token != CLEX_parse_error) {
        claim(lexer.where_firstchar >= text && lexer.where_lastchar < text + 3);
        claim(++count <= 3);
    }
}
