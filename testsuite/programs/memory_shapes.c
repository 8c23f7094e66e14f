/* Memory of many shapes: structs copied as bytes, pointers made from numbers, overlapping moves, unions, recursion. */
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
struct in {
    short a;
    int b[3];
    char c;
};
struct out {
    struct in x[4];
    long *p;
    union {
        double d;
        unsigned char raw[8];
        int i2[2];
    } u;
};
struct node {
    struct node *next, *prev;
    int v;
};
static long G = 5;
#define container(ptr, t, m) ((t *)((char *)(ptr) - offsetof(t, m)))
static unsigned long long h = 14695981039346656037ull;
static void mix(unsigned long long v) { h = (h ^ v) * 1099511628211ull; }
static struct out *mk(int n) {
    struct out *o = calloc(n, sizeof *o);
    for (int i = 0; i < n; i++) {
        o[i].p = i % 2 ? &G : malloc(8);
        if (!(i % 2))
            *o[i].p = i;
        for (int j = 0; j < 4; j++) {
            o[i].x[j].a = i * j;
            o[i].x[j].b[j % 3] = i - j;
            o[i].x[j].c = 'a' + j;
        }
        o[i].u.d = i * 1.25;
    }
    return o;
}
static void swap(void *a, void *b, size_t n) {
    char *x = a, *y = b;
    while (n--) {
        char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}
static int depth(struct node **slot, int n) {
    struct node local = {*slot, 0, n};
    *slot = &local;
    if (n == 0) {
        int s = 0;
        for (struct node *q = &local; q; q = q->next)
            s = s * 3 + q->v;
        return s;
    }
    int r = depth(slot, n - 1);
    *slot = local.next;
    return r;
}
static int sum(int (*f)(int, int), int n, ...) {
    __builtin_va_list ap, aq;
    __builtin_va_start(ap, n);
    __builtin_va_copy(aq, ap);
    int s = 0;
    for (int i = 0; i < n; i++)
        s = f(s, __builtin_va_arg(ap, int));
    for (int i = 0; i < n; i++)
        s = f(s, __builtin_va_arg(aq, int));
    __builtin_va_end(ap);
    return s;
}
static int addm(int a, int b) { return a * 7 + b; }
static struct in ret(struct in v, int k) {
    v.b[k % 3] += k;
    v.a ^= k;
    return v;
}
int main(void) {
    struct out *o = mk(5);
    swap(&o[1], &o[2], sizeof *o);
    memmove(&o[0], &o[1], 3 * sizeof *o);
    for (int i = 0; i < 5; i++) {
        mix(*o[i].p);
        for (int j = 0; j < 4; j++) {
            mix(o[i].x[j].a);
            mix(o[i].x[j].b[j % 3]);
            mix(o[i].x[j].c);
        }
        mix(o[i].u.raw[6]);
        mix(o[i].u.i2[1]);
    }
    uintptr_t w = (uintptr_t)&o[3].x[2].b[1];
    int *ip = (int *)(w ^ 0x5555 ^ 0x5555);
    *ip = 77;
    mix(o[3].x[2].b[1]);
    struct in *ci = container(ip, struct in, b[1]);
    ci->c = 'Z';
    mix(o[3].x[2].c);
    struct node *head = 0;
    mix(depth(&head, 6));
    mix(head == 0);
    mix(sum(addm, 4, 1, 2, 3, 4));
    struct in v = {1, {2, 3, 4}, 'q'};
    for (int i = 0; i < 5; i++)
        v = ret(v, i);
    mix(v.a);
    mix(v.b[0] + v.b[1] * 3 + v.b[2] * 5);
    mix(v.c);
    char buf[32];
    memset(buf, 0xAB, sizeof buf);
    int *al = (int *)(buf + 3);
    *al = 0x01020304;
    for (int i = 0; i < 32; i++)
        mix((unsigned char)buf[i]);
    void *tab[3] = {&v, &o[0], &G};
    void **pp = tab;
    for (int i = 0; i < 3; i++) {
        unsigned char *b = *pp++;
        mix(b[0]);
    }
    int idx[4] = {3, 1, 0, 2};
    for (int i = 0; i < 4; i++)
        mix(idx[idx[idx[i]]]);
    {
        int n = v.b[0] & 7;
        int vla[n + 2];
        for (int i = 0; i < n + 2; i++)
            vla[i] = i * i;
        int *end = vla + n + 1;
        mix(*end);
    }
    long double ld = 1.5L;
    unsigned char lb[16] = {0};
    memcpy(lb, &ld, 10);
    for (int i = 0; i < 10; i++)
        mix(lb[i]);
    char s[20];
    strcpy(s, "clew");
    strcat(s, "-thread");
    mix(strlen(s));
    mix(strcmp(s, "clew-thread") == 0);
    result(h);
    return 0;
}
