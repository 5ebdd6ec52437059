// SPDX-License-Identifier: MIT
/*
 * run_internal.h — shared by run.c and run_each.c only
 */
#ifndef GR_RUN_INTERNAL_H
#define GR_RUN_INTERNAL_H

#include "run.h"

/* Print a message about a record: "file:line: id "…": msg". file NULL: msg names it. */
void run_internal_say(const char *file, uint64_t number, struct sv id, bool is_warning,
                      const char *msg);

/* Count and report a record that failed. False when the run must stop (stop_code is set). */
bool run_internal_refuse(struct run *run, const struct rec *r, struct sv id,
                         const struct err *err);

/* Parse a line as the tool takes it; a plain text line is rewritten into *text first. */
int run_internal_parse(const struct tool *tool, struct rec *r, struct sv line, struct buf *text,
                       struct err *err);

/* Print the warnings collected for a record and forget them. */
void run_internal_warnings(const struct rec *r, struct sv id, struct buf *warnings);

#endif
