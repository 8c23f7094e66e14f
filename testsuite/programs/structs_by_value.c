/* Structures passed and returned by value, in all the ways that calling conventions know. */
#include "check.h"

struct empty_like { char c; };
struct two_chars { char a, b; };
struct three_bytes { unsigned char b[3]; };
struct two_ints { int a, b; };
struct int_float { int a; float b; };
struct two_floats { float a, b; };
struct three_floats { float a, b, c; };
struct four_floats { float v[4]; };
struct two_doubles { double a, b; };
struct double_int { double a; int b; };
struct int_double { int a; double b; };
struct long_char { long a; char b; };
struct big { int a[20]; double d; };
struct nested { struct two_ints i; struct two_floats f; };
struct deep { struct nested n; struct { short s; char c; } tail; };
union either { int i; float f; double d; };
struct with_pointer { int *p; unsigned n; };

static struct empty_like f1(struct empty_like s) { s.c++; return s; }
static struct two_chars f2(struct two_chars s) { char t = s.a; s.a = s.b; s.b = t; return s; }
static struct three_bytes f3(struct three_bytes s) { s.b[0] += s.b[2]; return s; }
static struct two_ints f4(struct two_ints s, int k) { s.a += k; s.b -= k; return s; }
static struct int_float f5(struct int_float s) { s.a *= 2; s.b *= 2; return s; }
static struct two_floats f6(struct two_floats s, float k) { s.a += k; s.b *= k; return s; }
static struct three_floats f7(struct three_floats s) { float t = s.a; s.a = s.c; s.c = s.b; s.b = t; return s; }
static struct four_floats f8(struct four_floats s) { s.v[3] += s.v[0]; return s; }
static struct two_doubles f9(struct two_doubles s) { s.a -= s.b; return s; }
static struct double_int f10(struct double_int s) { s.a += s.b; s.b = ~s.b; return s; }
static struct int_double f11(struct int_double s) { s.b += s.a; s.a = -s.a; return s; }
static struct long_char f12(struct long_char s) { s.a ^= s.b; return s; }
static struct big f13(struct big s, int k) { s.a[k % 20] = k; s.d += k; return s; }
static struct deep f14(struct deep s) { s.n.i.a += s.tail.s; s.n.f.b += s.tail.c; s.tail.c = 'z'; return s; }
static union either f15(union either u) { u.i ^= 0x5A5A; return u; }
static int f16(struct with_pointer s) { int r = 0; while (s.n--) r += *s.p++; return r; }

/* Registers run out: the rest goes on the stack. */
static double many(struct two_ints a, struct two_doubles b, struct two_ints c, struct big d, struct long_char e, double f,
                   struct two_doubles g, struct two_doubles h, struct two_doubles i, struct int_double j, char k, long l) {
    return a.a + b.b + c.a * 3 + d.a[5] + e.b + f + g.a + h.b + i.a + j.b + k + (double)l + d.d;
}

/* The argument is a copy. */
static int keeps_its_own(struct big s) { s.a[0] = -1; return s.a[1]; }

struct operations {
    struct two_ints (*change)(struct two_ints, int);
    struct big (*grow)(struct big, int);
};

int main(void) {
    int n = (int)input(), m = (int)(input() & 0xFFFF);
    result((unsigned char)f1((struct empty_like){(char)n}).c);
    struct two_chars tc = f2((struct two_chars){(char)n, (char)m});
    result((unsigned char)tc.a), result((unsigned char)tc.b);
    struct three_bytes tb = f3((struct three_bytes){{(unsigned char)n, 2, (unsigned char)m}});
    result(tb.b[0]), result(tb.b[1]), result(tb.b[2]);
    struct two_ints ti = f4((struct two_ints){n, m}, 7);
    result((unsigned)ti.a), result((unsigned)ti.b);
    struct int_float jf = f5((struct int_float){n, (float)m});
    result((unsigned)jf.a), result_double(jf.b);
    struct two_floats tf = f6((struct two_floats){(float)n, (float)m}, 0.5f);
    result_double(tf.a), result_double(tf.b);
    struct three_floats hf = f7((struct three_floats){1, (float)n, (float)m});
    result_double(hf.a), result_double(hf.b), result_double(hf.c);
    result_double(f8((struct four_floats){{(float)n, 1, 2, (float)m}}).v[3]);
    result_double(f9((struct two_doubles){n, m}).a);
    struct double_int di = f10((struct double_int){n * 0.25, m});
    result_double(di.a), result((unsigned)di.b);
    struct int_double id = f11((struct int_double){m, n * 0.25});
    result((unsigned)id.a), result_double(id.b);
    result((unsigned long)f12((struct long_char){n, (char)m}).a);
    struct big b = {{1, 2, 3, [19] = n}, 0.5};
    struct big c = f13(b, m);
    result((unsigned)c.a[m % 20]), result((unsigned)b.a[m % 20]), result_double(c.d);
    b = f13(f13(c, 3), 4);
    result((unsigned)b.a[3]), result((unsigned)b.a[19]);
    struct deep d = f14((struct deep){{{n, m}, {1.5f, (float)m}}, {(short)n, 'a'}});
    result((unsigned)d.n.i.a), result_double(d.n.f.b), result((unsigned)d.tail.s), result((unsigned)d.tail.c);
    result((unsigned)f15((union either){.i = n}).i);
    int items[] = {n, m, 3, 4};
    result((unsigned)f16((struct with_pointer){items, 4}));
    result_double(many(ti, (struct two_doubles){1, n}, ti, b, (struct long_char){5, 6}, 1.25, (struct two_doubles){2, 3},
                       (struct two_doubles){4, 5}, (struct two_doubles){6, 7}, id, 'k', 99L));
    result((unsigned)keeps_its_own(b)), result((unsigned)b.a[0]);
    struct operations table = {f4, f13};
    result((unsigned)table.change(ti, n).b), result((unsigned)table.grow(b, 6).a[6]);
    struct two_ints array[3] = {{1, 2}, ti};
    array[2] = array[1], array[0] = f4(array[2], 1);
    result((unsigned)(array[0].a ^ array[2].b));
    result((unsigned)(m & 1 ? array[0] : array[2]).a);
    return 0;
}
