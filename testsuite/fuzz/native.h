/* Around generated programs in native runs: inputs come from a table, and each run has a process of its own, so that it
 * starts with fresh memory. The table of programs is `fuzz_programs`; the generator writes it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUZZ_BROKEN, FUZZ_RESULT_OF, FUZZ_EXCLUDED, FUZZ_VIOLATED, FUZZ_ENDED, FUZZ_MAX_INPUTS = 4 };

struct fuzz_program {
    int (*entry)(void);
    int inputs;
    long max[FUZZ_MAX_INPUTS];
};

static struct {
    int state;
    long value;
} *fuzz_outcome;
static long fuzz_inputs[FUZZ_MAX_INPUTS];
static int fuzz_next, fuzz_count;

static void fuzz_end(int state, long value) {
    fuzz_outcome->state = state;
    fuzz_outcome->value = value;
    _exit(0);
}

static long fuzz_input(void) {
    if (fuzz_next >= fuzz_count)
        _exit(99);
    return fuzz_inputs[fuzz_next++];
}

static int fuzz_run(const struct fuzz_program *programs, int count) {
    void *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fuzz_outcome = (__typeof__(fuzz_outcome))shared;
    int out = dup(1);
    if (!freopen("/dev/null", "w", stdout) || out < 0)
        return 1;
    for (int p = 0; p < count; p++) {
        fuzz_count = programs[p].inputs;
        for (int i = 0; i < fuzz_count; i++)
            fuzz_inputs[i] = 0;
        for (;;) {
            fuzz_outcome->state = FUZZ_BROKEN;
            pid_t child = fork();
            if (child == 0) {
                alarm(5);
                programs[p].entry();
                fuzz_end(FUZZ_ENDED, 0);
            }
            int status = 0;
            if (child < 0 || waitpid(child, &status, 0) != child)
                return 1;
            if (status != 0)
                fuzz_outcome->state = FUZZ_BROKEN;
            dprintf(out, "%d %d %ld\n", p, fuzz_outcome->state, fuzz_outcome->value);
            /* The next combination; the last input changes fastest. */
            int i = fuzz_count - 1;
            while (i >= 0 && fuzz_inputs[i] == programs[p].max[i])
                fuzz_inputs[i--] = 0;
            if (i < 0)
                break;
            fuzz_inputs[i]++;
        }
    }
    return 0;
}

#undef assert
#define assert(condition) ((condition) ? (void)0 : fuzz_end(FUZZ_VIOLATED, 0))
#define reach_error() fuzz_end(FUZZ_VIOLATED, 0)
#define FUZZ_RESULT(r) fuzz_end(FUZZ_RESULT_OF, r)
#define __VERIFIER_assume(condition) ((condition) ? (void)0 : fuzz_end(FUZZ_EXCLUDED, 0))
#define __VERIFIER_nondet_int() ((int)fuzz_input())
#define __VERIFIER_nondet_uint() ((unsigned)fuzz_input())
#define __VERIFIER_nondet_uchar() ((unsigned char)fuzz_input())
#define __VERIFIER_nondet_short() ((short)fuzz_input())
#define __VERIFIER_nondet_long() fuzz_input()
