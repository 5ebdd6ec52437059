// SPDX-License-Identifier: MIT
/*
 * unit.h — includes that cmocka wants before itself, a shorthand for views, how patient to be,
 * and which series of random cases to run
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gr.h"
#include "sv.h"

/* Is this a build for sanitizers? Long tests that repeat themselves do less then. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNIT_IS_SLOW 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNIT_IS_SLOW 1
#endif
#ifndef UNIT_IS_SLOW
#define UNIT_IS_SLOW 0
#endif

/* Where a series of random cases starts: GR_SEED of the environment, else 1. */
static inline uint64_t unit_seed(void)
{
    const char *seed = getenv("GR_SEED");
    return seed ? strtoull(seed, NULL, 10) : 1;
}

/* Assert that a view holds exactly this text (NUL bytes inside are fine in the view only). */
#define assert_sv(got, want)                                                                   \
    do {                                                                                       \
        struct sv got_ = (got);                                                                \
        assert_int_equal(got_.n, strlen(want));                                                \
        assert_memory_equal(got_.p, want, got_.n);                                             \
    } while (0)

#endif
