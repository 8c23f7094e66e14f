/* What the tests of the library models share: checks, random numbers, and the models under the names model_*. */
#ifndef HARNESS_H
#define HARNESS_H

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model has the type of what it models. */
#define MODEL(name) extern __typeof__(name) model_##name

/* Of the models: errno, and the size of what they allocate. */
extern int __clew_errno;
size_t __clew_object_size(const void *object);

void check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same sequence in each run. */
uint64_t random_bits(void);
unsigned random_below(unsigned bound);

/* The next unknown numbers, until they are taken back; then they are random. */
extern const long double *chosen_real;
/* Set when a model assumed something false. */
extern bool assumption_failed;
/* While a trial runs, a false assumption jumps out of it. */
extern jmp_buf trial;
extern bool trial_running;

void test_strings(void);
void test_memory(void);
void test_characters(void);
void test_allocation(void);
void test_numbers(void);
void test_sorting(void);
void test_formatting(void);
void test_text(void);
void test_posix(void);
void test_math(void);
void test_loose(void);
void test_containers(void);

#endif
