/* The table of Redis' crc16 agrees with the polynomial. */
#include "harness.h"
#define __REDIS_H
uint16_t crc16(const char *buf, int len);
#include "redis/src/crc16.c"

int main(void) {
    unsigned char bytes[2];
    any_bytes(bytes, sizeof bytes);
    uint16_t crc = 0;
    for (int i = 0; i < 2; i++) {
        crc ^= (uint16_t)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
    claim(crc16((char *)bytes, sizeof bytes) == crc);
}
