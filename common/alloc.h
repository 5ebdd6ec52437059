// SPDX-License-Identifier: MIT
/*
 * alloc.h — memory that is there or the process ends with exit 3
 *
 * Every size product is checked. Everything returned is released with free().
 */
#ifndef GR_ALLOC_H
#define GR_ALLOC_H

#include "gr.h"

/* n bytes, not cleared (n == 0 gives a unique pointer). */
void *alloc(size_t n) __attribute__((malloc, returns_nonnull));

/* Room for n things of the given size, not cleared. */
void *alloc_array(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Room for n things of the given size, all bytes zero. */
void *alloc_zero(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Resize p (may be NULL) to n things of the given size; new bytes are not cleared. */
void *alloc_resize(void *p, size_t n, size_t size) __attribute__((returns_nonnull));

/* A copy of the n bytes at p with a NUL after them. */
char *alloc_text(const char *p, size_t n) __attribute__((malloc, returns_nonnull));

/* n bytes aligned to 2 MiB and advised for huge pages: matrices that are read at random.
 * Released with free(). */
void *alloc_huge(size_t n) __attribute__((malloc, returns_nonnull));

/* The next capacity for a growing array that holds `cap` and must hold `need` things. */
size_t alloc_grow(size_t cap, size_t need);

/* Say "out of memory" and end with exit 3. Also given to libraries as their handler. */
void alloc_die(void *unused) GR_NORETURN;

/* What alloc_die calls before the end, NULL: nothing. It must not allocate. */
void alloc_on_die(void (*before)(void));

#ifdef GR_FAULT
/* Test hook: the nth allocation from now fails (0: none). */
void alloc_fail_at(unsigned long nth);
#endif

#endif
