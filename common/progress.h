// SPDX-License-Identifier: MIT
/*
 * progress.h — one line on a terminal that says how far long work has come
 *
 * Shown on standard error after one second, at most five times a second, erased before any
 * message and at the end. Nothing is shown when standard error is no terminal (unless always).
 */
#ifndef GR_PROGRESS_H
#define GR_PROGRESS_H

#include "gr.h"

enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

/* unit: what is counted ("records"), borrowed. total: 0 when not known. */
void progress_start(enum progress_when when, const char *unit, uint64_t total);

/* done: things done so far; rejected: those refused among them. Cheap; any thread. */
void progress_show(uint64_t done, uint64_t rejected);

void progress_end(void);

#endif
