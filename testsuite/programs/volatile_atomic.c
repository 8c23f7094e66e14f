/* volatile, _Atomic, and the __sync and __atomic builtins, in one thread. */
#include "check.h"
#include <stdatomic.h>
#include <stdint.h>

static volatile int port;
static volatile struct { int a; short b; } device;
static _Atomic int counter = 3;
static _Atomic uint64_t wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(int *) pointer;
static _Atomic _Bool ready;
static atomic_uchar small = 250;

int main(void) {
    int n = (int)input();
    port = n;
    port += 2, port++;
    result((unsigned)port), result((unsigned)(port + port));
    device.a = port, device.b = (short)device.a;
    result((unsigned)device.b);
    volatile int local = n;
    volatile int *vp = &local;
    while (*vp & 7)
        *vp -= 1;
    result((unsigned)local);

    counter += n, counter++, counter ^= 5;
    result((unsigned)counter), result((unsigned)atomic_fetch_add(&counter, 4)), result((unsigned)atomic_load(&counter));
    result((unsigned)atomic_exchange(&counter, n)), result((unsigned)atomic_fetch_or_explicit(&counter, 0x10, memory_order_relaxed));
    result((unsigned)atomic_fetch_and(&counter, ~1)), result((unsigned)atomic_fetch_xor(&counter, 3)), result((unsigned)atomic_fetch_sub(&counter, 9));
    int expected = n, seen = atomic_compare_exchange_strong(&counter, &expected, 42);
    result((unsigned)seen), result((unsigned)expected), result((unsigned)counter);
    seen = atomic_compare_exchange_strong(&counter, &expected, 43);
    result((unsigned)seen), result((unsigned)counter);
    atomic_store_explicit(&wide, (uint64_t)(unsigned)n << 20, memory_order_release);
    wide *= 3;
    result(wide), result(atomic_fetch_add(&wide, 1)), result(wide);
    result(atomic_flag_test_and_set(&flag)), result(atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    result(atomic_flag_test_and_set(&flag));
    int cells[3] = {1, 2, n};
    pointer = cells;
    pointer++;
    result((unsigned)*pointer), result((unsigned)*(pointer + 1));
    ready = n > 3;
    result(ready), result(small++), small += 7, result(small);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);

    int x = n;
    result((unsigned)__sync_fetch_and_add(&x, 5)), result((unsigned)__sync_sub_and_fetch(&x, 2));
    result(__sync_bool_compare_and_swap(&x, n + 3, 7)), result((unsigned)__sync_val_compare_and_swap(&x, 7, 8));
    result((unsigned)__sync_fetch_and_nand(&x, 6)), result((unsigned)__sync_lock_test_and_set(&x, 1));
    __sync_lock_release(&x);
    __sync_synchronize();
    result((unsigned)x), result((unsigned)__atomic_add_fetch(&x, n, __ATOMIC_ACQ_REL)), result((unsigned)__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST));
    result((unsigned)__atomic_fetch_min(&x, 10, __ATOMIC_RELAXED)), result((unsigned)__atomic_fetch_max(&x, -10, __ATOMIC_RELAXED));
    unsigned u = (unsigned)n, loaded, desired = 99;
    result(__atomic_fetch_max(&u, 1000u, __ATOMIC_RELAXED));
    __atomic_load(&u, &loaded, __ATOMIC_ACQUIRE), __atomic_exchange(&u, &desired, &loaded, __ATOMIC_SEQ_CST);
    result(u), result(loaded), result(__atomic_always_lock_free(4, 0));
    return 0;
}
