// SPDX-License-Identifier: MIT
/*
 * err.h — how library code reports what failed: one struct, filled once, printed by main
 *
 * A function that can fail takes a `struct err *err` (never NULL) as its last parameter and
 * returns -1 or NULL after filling it. Nothing in libgr prints or exits on an error of input.
 */
#ifndef GR_ERR_H
#define GR_ERR_H

#include "exit.h"
#include "gr.h"

struct err {
    enum gr_exit
        code;      /* EXIT_REJECTED: only this record is bad; EXIT_FATAL: stop; EXIT_SERVICE */
    char msg[512]; /* one line, lower case, no full stop: what failed: why (and what to do) */
};

/* Fill err. Control characters in the text become '?', so hostile input cannot draw on a
 * terminal; overlong text is cut at a character. Returns -1, so that `return err_set(…)` reads
 * well. */
int err_set(struct err *err, enum gr_exit code, const char *fmt, ...) GR_PRINTF(3, 4);

/* Put "prefix: " before the message already there. Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) GR_PRINTF(2, 3);

/* Replace control characters by '?' and cut an incomplete UTF-8 tail, in place. */
void err_clean(char *text);

#endif
