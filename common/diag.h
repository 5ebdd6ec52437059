// SPDX-License-Identifier: MIT
/*
 * diag.h — messages to people, on standard error, one line each
 *
 * "tool: message". The eleventh and later messages of one kind are counted, not printed, and
 * diag_end says how many there were. Two messages are of one kind when they differ only in
 * digits and quoted text. All functions may be called from any thread.
 */
#ifndef GR_DIAG_H
#define GR_DIAG_H

#include "err.h"
#include "gr.h"

enum diag_level { DIAG_QUIET, DIAG_NORMAL, DIAG_VERBOSE };

/* Set the name before every message and how much is said: errors are always printed, warnings
 * from DIAG_NORMAL on, notes from DIAG_VERBOSE on. name is borrowed for good. */
void diag_init(const char *name, enum diag_level level);

void diag_error(const char *fmt, ...) GR_PRINTF(1, 2);
void diag_warn(const char *fmt, ...) GR_PRINTF(1, 2);
void diag_note(const char *fmt, ...) GR_PRINTF(1, 2);

/* Print what was counted instead of printed, and forget it. */
void diag_end(void);

/* Called before a message is written, to erase a progress line. */
void diag_on_write(void (*before)(void));

#endif
