/* Checksums, hashes and ciphers: many rotations, tables and wrapping sums. */
#include "check.h"
#include <stdint.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

static uint32_t adler(const uint8_t *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n--)
        a = (a + *p++) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}

static void quarter(uint32_t *x, int a, int b, int c, int d) {
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16), x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8), x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

static void stream_block(uint32_t out[16], const uint32_t in[16]) {
    memcpy(out, in, 16 * sizeof *out);
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 4; k++)
            quarter(out, k, k + 4, k + 8, k + 12);
        for (int k = 0; k < 4; k++)
            quarter(out, k, (k + 1) % 4 + 4, (k + 2) % 4 + 8, (k + 3) % 4 + 12);
    }
    for (int i = 0; i < 16; i++)
        out[i] += in[i];
}

static void feistel(uint32_t v[2], const uint32_t k[4]) {
    uint32_t sum = 0;
    for (int i = 0; i < 32; i++) {
        sum += 0x9E3779B9u;
        v[0] += (v[1] << 4) + k[0] ^ v[1] + sum ^ (v[1] >> 5) + k[1];
        v[1] += (v[0] << 4) + k[2] ^ v[0] + sum ^ (v[0] >> 5) + k[3];
    }
}

static void swap(uint8_t *a, uint8_t *b) {
    uint8_t t = *a;
    *a = *b, *b = t;
}

static void permute_stream(const uint8_t *key, unsigned length, uint8_t *data, unsigned n) {
    uint8_t s[256], i = 0, j = 0;
    for (unsigned k = 0; k < 256; k++)
        s[k] = (uint8_t)k;
    for (unsigned k = 0; k < 256; k++)
        j = (uint8_t)(j + s[k] + key[k % length]), swap(&s[k], &s[j]);
    for (j = 0; n--; data++)
        i++, j += s[i], swap(&s[i], &s[j]), *data ^= s[(uint8_t)(s[i] + s[j])];
}

static uint64_t mix64(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

int main(void) {
    uint32_t n = input(), block[16] = {n, 1, 2, 3}, out[16];
    uint8_t text[] = "attack at dawn, or a little later";
    result(adler(text, sizeof text));
    stream_block(out, block);
    for (int i = 0; i < 16; i += 5)
        result(out[i]);
    uint32_t v[2] = {n, ~n};
    feistel(v, block);
    result(v[0]), result(v[1]);
    permute_stream((const uint8_t *)&n, sizeof n, text, sizeof text);
    result(adler(text, sizeof text));
    permute_stream((const uint8_t *)&n, sizeof n, text, sizeof text);
    result(text[0] == 'a'), result(mix64(n));
    return 0;
}
