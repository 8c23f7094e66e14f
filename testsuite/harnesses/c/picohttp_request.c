/* What the parser says it consumed is no more than there was. */
#include "harness.h"
#include "picohttpparser/deps/picohttpparser/picohttpparser.c"

int main(void) {
    char text[] = "GET / HTTP/1.1\r\n??\r\n";
    const char *method, *path;
    size_t method_length, path_length, count = 2;
    struct phr_header headers[2];
    int minor;
    any_bytes(text + 16, 2);
    int result = phr_parse_request(text, 20, &method, &method_length, &path, &path_length, &minor, headers, &count, 0);
    claim(result == -1 || result == -2 || (result > 0 && result <= 20));
    if (result > 0)
        claim(method_length == 3 && path_length == 1 && minor == 1);
}
