/* A block that was freed is used again. */
#include "harness.h"
#define UMM_BEST_FIT
#include "umm-malloc/umm_malloc/src/umm_malloc.c"

static uint64_t heap[32];

int main(void) {
    umm_init_heap(heap, sizeof heap);
    unsigned size = 1 + any_below(200);
    void *first = umm_malloc(size);
    claim(first != NULL);
    umm_free(first);
    claim(umm_malloc(size) == first);
}
