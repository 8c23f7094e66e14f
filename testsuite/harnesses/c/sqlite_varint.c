/* A number survives being written and read as a varint of SQLite. */
#define _GNU_SOURCE
#include "harness.h"
#include "libsqlite3/sqlite3/sqlite3.c"

int main(void) {
    unsigned char buffer[9];
    u64 number = __VERIFIER_nondet_uint(), again;
    int written = sqlite3PutVarint(buffer, number);
    claim(written <= 5);
    claim(sqlite3GetVarint(buffer, &again) == (u8)written);
    claim(again == number);
}
