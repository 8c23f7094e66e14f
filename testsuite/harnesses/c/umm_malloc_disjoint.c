/* Two blocks of unknown sizes do not overlap, and lie within the heap. */
#include "harness.h"
#define UMM_BEST_FIT
#include "umm-malloc/umm_malloc/src/umm_malloc.c"

static uint64_t heap[32];

int main(void) {
    unsigned sizes[2];
    char *blocks[2], *start = (char *)heap;
    umm_init_heap(heap, sizeof heap);
    for (int i = 0; i < 2; i++) {
        sizes[i] = 1 + any_below(48);
        blocks[i] = umm_malloc(sizes[i]);
        claim(blocks[i] >= start && blocks[i] + sizes[i] <= start + sizeof heap);
    }
    claim(blocks[0] + sizes[0] <= blocks[1] || blocks[1] + sizes[1] <= blocks[0]);
}
