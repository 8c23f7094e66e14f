//# value+c++ list: stdlib.h
struct @node { int v; struct @node *next; };
static struct @node *@push(struct @node *head, int v) {
    struct @node *n = (struct @node *)malloc(sizeof *n);
    n->v = v;
    n->next = (struct @node *)$via(head);
    return n;
}
static int @f(int a, int b) {
    struct @node *head = 0;
    for (int i = 0; i < 1 + a % 3; i++)
        head = @push(head, b + i);
    $[ :: struct @node *back = 0; while (head) { struct @node *n = head->next; head->next = back; back = head; head = n; } head = back;]
    int sum = 0;
    for (struct @node *n = head; n; n = n->next)
        sum = sum * 3 + n->v;
    while (head) {
        struct @node *n = head->next;
        free(head);
        head = n;
    }
    return sum;
}

//# value+c++ xor_list: stdint.h
struct @node { int v; uintptr_t link; };
static int @f(int a, int b) {
    struct @node n[3];
    for (int i = 0; i < 3; i++) {
        n[i].v = i == 1 ? a : b + i;
        n[i].link = (uintptr_t)(i > 0 ? &n[i - 1] : 0) ^ (uintptr_t)(i < 2 ? &n[i + 1] : 0);
    }
    struct @node *before = 0, *at = $[&n[0] :: &n[2]];
    int sum = 0;
    while (at) {
        struct @node *after = (struct @node *)(at->link ^ (uintptr_t)before);
        sum = sum * 2 + at->v;
        before = at;
        at = after;
    }
    return sum;
}

//# value+c++ hash_table: stdlib.h
struct @entry { int key, value; struct @entry *next; };
static struct @entry *@buckets[$n=[2..4]];
static void @put(int key, int value) {
    struct @entry **at = &@buckets[key % $n];
    for (struct @entry *e = *at; e; e = e->next)
        if (e->key == key) {
            e->value = value;
            return;
        }
    struct @entry *e = (struct @entry *)malloc(sizeof *e);
    e->key = key;
    e->value = value;
    e->next = *at;
    *at = e;
}
static int @get(int key) {
    for (struct @entry *e = @buckets[key % $n]; e; e = e->next)
        if (e->key == key)
            return e->value;
    return -1;
}
static int @f(int a, int b) {
    @put(1, $[5..9]);
    @put(a & 3, b);
    @put(b & 3, a);
    return @get(1) * 8 + @get(a & 3) + @get(7);
}

//# value+c++ vector: stdlib.h string.h
struct @vec { char *data; size_t size, used, width; };
static void @add(struct @vec *v, const void *item) {
    if (v->used == v->size) {
        v->size = v->size ? v->size * 2 : 1;
        v->data = (char *)realloc(v->data, v->size * v->width);
    }
    memcpy(v->data + v->used++ * v->width, item, v->width);
}
static void *@at(struct @vec *v, size_t i) { return v->data + i * v->width; }
static int @f(int a, int b) {
    struct @vec v = {0, 0, 0, sizeof($t=[int :: long :: short])};
    $t x = a, y = b, z = 3;
    @add(&v, &x);
    @add(&v, &y);
    @add(&v, &z);
    int n = (int)*($t *)@at(&v, $[0..2]) * 4 + (int)*($t *)$via(@at(&v, a % 3));
    free(v.data);
    return n;
}

//# value+c++ stack_of_pointers
static void *@items[4];
static int @top;
static void @push(void *p) { @items[@top++] = p; }
static void *@pop(void) { return @items[--@top]; }
static int @f(int a, int b) {
    int x = a, y = b, z = $[1..9];
    @top = 0;
    @push(&x);
    @push(&y);
    if (a > b)
        @push(&z);
    int *p = (int *)@pop(), *q = (int *)@pop();
    *p += 3;
    *q ^= 1;
    return x + 3 * y + 5 * z;
}

//# value+c++ tree: stdlib.h
struct @tree { int key; struct @tree *left, *right; };
static struct @tree *@insert(struct @tree *t, int key) {
    if (!t) {
        t = (struct @tree *)calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = @insert(t->left, key);
    else if (key > t->key)
        t->right = @insert(t->right, key);
    return t;
}
static int @depth(const struct @tree *t) {
    if (!t)
        return 0;
    int l = @depth(t->left), r = @depth(t->right);
    return 1 + (l > r ? l : r);
}
static int @f(int a, int b) {
    struct @tree *t = @insert(@insert(@insert(0, $[1..5]), a & 3), b & 7);
    return @depth(t) * 8 + (t->left ? t->left->key : 0);
}

//# value+c++ ring
static int @ring[4], @first, @used;
static int @put(int v) {
    if (@used == 4)
        return 0;
    @ring[(@first + @used++) & 3] = v;
    return 1;
}
static int @take(void) {
    int v = @ring[@first];
    @first = (@first + 1) & 3;
    @used--;
    return v;
}
static int @f(int a, int b) {
    @first = a & 3;
    @used = 0;
    for (int i = 0; i < $[2..6]; i++)
        @put(b + i);
    int v = @take();
    @put(a);
    return v * 4 + @ring[b & 3];
}

//# value+c++ intrusive: stddef.h
struct @link { struct @link *next; };
struct @item { int v; struct @link link; int w; };
#define @of(p) ((struct @item *)((char *)(p) - offsetof(struct @item, link)))
static int @f(int a, int b) {
    struct @item x = {a, {0}, 1}, y = {b, {&x.link}, 2};
    int sum = 0;
    for (struct @link *l = &y.link; l; l = l->next) {
        struct @item *item = @of($via(l));
        item->w += item->v;
        sum = sum * 2 + item->w;
    }
    return sum + x.w * 3 + y.w;
}

//# value+c++ arena: stddef.h
static char __attribute__((aligned(16))) @space[64];
static size_t @used;
static void *@take(size_t n) {
    void *p = @space + @used;
    @used += (n + 7) & ~(size_t)7;
    return p;
}
static int @f(int a, int b) {
    @used = 0;
    int *x = (int *)@take(sizeof *x);
    long *y = (long *)@take(sizeof *y);
    short *z = (short *)@take($[2..6]);
    *x = a;
    *y = b;
    *z = $[1..9];
    *x += (int)*y;
    return *x * 4 + (int)*y + *z;
}

//# value+c++ bitmap
static unsigned @map[2];
static void @set(int n) { @map[n / 32] |= 1u << n % 32; }
static int @has(int n) { return @map[n / 32] >> n % 32 & 1; }
static int @f(int a, int b) {
    @map[0] = @map[1] = 0;
    @set(a);
    @set(b);
    @set($[30..40]);
    return @has(a ^ 1) + 2 * @has($[0..5]) + 4 * @has(33) + 8 * __builtin_popcount(@map[0]);
}

//# value+c++ variants
enum @tag { @INT, @PTR, @FLT };
struct @any { enum @tag tag; union { int i; int *p; double d; } as; };
static int @value(struct @any v) {
    switch (v.tag) {
    case @INT: return v.as.i;
    case @PTR: return *v.as.p;
    default: return (int)v.as.d;
    }
}
static int @f(int a, int b) {
    struct @any v[3];
    v[0].tag = @INT; v[0].as.i = a;
    v[1].tag = @PTR; v[1].as.p = (int *)$via(&b);
    v[2].tag = @FLT; v[2].as.d = a * 0.5;
    struct @any w = v[b % 3];
    return @value(w) * 4 + @value(v[a % 3]);
}

//# value+c++ copy_of_any_length: string.h stdlib.h
static void @copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
static int @f(int a, int b) {
    int x = a, y = b;
    int *in[3] = {&x, &y, &x}, *out[3] = {&y, &y, &y};
    @copy(out, in, (a % 4) * sizeof *in);
    *out[0] += 2;
    *out[b % 3] += 1;
    return x * 8 + y;
}
