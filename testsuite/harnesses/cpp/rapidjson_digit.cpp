// RapidJSON's reader reads a text of one character only as the value of a digit.
#include "rapidjson/include/rapidjson/reader.h"
#include "harness.h"

struct Handler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
    unsigned value = 99;

    bool Uint(unsigned number) {
        value = number;
        return true;
    }
};

int main() {
    char text[2] = {static_cast<char>(__VERIFIER_nondet_uchar()), 0};
    Handler handler;
    rapidjson::Reader reader;
    rapidjson::StringStream stream(text);
    if (reader.Parse(stream, handler))
        claim(handler.value == static_cast<unsigned>(text[0] - '0') && handler.value <= 9);
}
