// SPDX-License-Identifier: MIT
/*
 * unit.h — includes that cmocka wants before itself, and a shorthand for views
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gr.h"
#include "sv.h"

/* Assert that a view holds exactly this text (NUL bytes inside are fine in the view only). */
#define assert_sv(got, want)                                                                   \
    do {                                                                                       \
        struct sv got_ = (got);                                                                \
        assert_int_equal(got_.n, strlen(want));                                                \
        assert_memory_equal(got_.p, want, got_.n);                                             \
    } while (0)

#endif
