/* A hash table with chains, deletion and growth. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; unsigned hash; int value; char key[12]; };
struct table { struct entry **buckets; unsigned size, used; };

static unsigned hash_of(const char *key) {
    unsigned h = 2166136261u;
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 16777619u;
    return h;
}

static void grow(struct table *t) {
    unsigned size = t->size ? t->size * 2 : 4;
    struct entry **fresh = calloc(size, sizeof *fresh);
    if (!fresh)
        abort();
    for (unsigned i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = fresh[e->hash % size];
            fresh[e->hash % size] = e;
        }
    free(t->buckets);
    t->buckets = fresh, t->size = size;
}

static struct entry **find(struct table *t, const char *key) {
    struct entry **at = &t->buckets[hash_of(key) % t->size];
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

static void put(struct table *t, const char *key, int value) {
    if (t->used >= t->size)
        grow(t);
    struct entry **at = find(t, key);
    if (!*at) {
        struct entry *e = malloc(sizeof *e);
        if (!e)
            abort();
        strcpy(e->key, key);
        e->hash = hash_of(key), e->next = 0;
        *at = e;
        t->used++;
    }
    (*at)->value = value;
}

static int drop(struct table *t, const char *key) {
    struct entry **at = find(t, key), *e = *at;
    if (!e)
        return 0;
    *at = e->next;
    free(e);
    t->used--;
    return 1;
}

int main(void) {
    unsigned n = input();
    struct table t = {0};
    char key[12] = "key-";
    for (unsigned i = 0; i < 12; i++) {
        key[4] = (char)('a' + (n >> i) % 7), key[5] = (char)('a' + i % 3), key[6] = 0;
        put(&t, key, (int)(i * n));
    }
    result(t.used), result(t.size);
    unsigned sum = 0;
    for (unsigned i = 0; i < t.size; i++)
        for (struct entry *e = t.buckets[i]; e; e = e->next)
            sum = sum * 31 + (unsigned)e->value + e->hash;
    result(sum);
    result((unsigned)drop(&t, key)), result((unsigned)drop(&t, key)), result((unsigned)drop(&t, "none")), result(t.used);
    struct entry *e = *find(&t, "key-aa");
    result(e ? (unsigned)e->value : 7);
    return 0;
}
