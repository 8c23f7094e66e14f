// Parts of objects: structures, arrays, bit-fields and unions, behind pointers and on the heap.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum kind { NONE, NUMBER, TEXT };
struct bits { unsigned low : 3, high : 13; int sign : 2; };
struct inner { int flag; struct bits bits; double weight; };
struct node { enum kind kind; struct node *next; struct inner in; char name[8]; };
struct token { int type, start, end; };
union either { int number; float real; };
union blob { unsigned char bytes[4]; unsigned word; };

static struct token tokens[4];
static struct node root;
static int grid[2][3];

static void fill(struct node *node, struct token *token, int count) {
    node->kind = NUMBER;
    node->in.flag = 1;
    node->in.bits.low = 5;
    node->in.bits.high = 4097;
    node->in.bits.sign = -1;
    node->in.weight = 0.5;
    for (int i = 0; i < count; i++) {
        token[i].end = -1;
        token[i].type = i;
    }
    strcpy(node->name, "abc");
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n != 2) {
        return 0;
    }
    struct token local = {1, 2, 3};
    struct token copy = local;
    union either either;
    either.real = 1.5f;
    either.number = 7;
    union blob blob;
    blob.word = 0x01020304;
    blob.bytes[n] = 255;
    memset(&root, 0, sizeof root);
    memset(tokens, 0, sizeof tokens);
    fill(&root, tokens, n);
    struct node *node = malloc(sizeof *node);
    if (!node) {
        return 0;
    }
    node->next = NULL;
    root.next = node;
    node->in.bits.low = 3;
    root.next->in.weight = -1e-10;
    int *numbers = malloc(4 * sizeof *numbers);
    if (!numbers) {
        return 0;
    }
    numbers[n] = 20;
    int *end = numbers + 4;
    grid[1][n] = 6;
    char text[8] = "hello";
    text[n - 2] = 'j';
    struct node saved = root;
    assert(copy.end + numbers[n] + grid[1][2] + text[0] + saved.in.flag + node->in.bits.low + blob.bytes[1] == 0 ||
           either.number != 7 || end == 0);
    return 0;
}
